// What names of columns say about what stands in them. Word lists, and nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shoal {

// A name's words in lower case: "PatientID" and "patient_id" are patient, id; digits are words of their own.
std::vector<std::string> words_of_name(std::string_view name);

// Topics that a word can belong to. One word may belong to several.
enum class Topic {
  identity,   // names, addresses, numbers of documents, contacts: says who it is
  key,        // id, nr, key: numbers rows or persons
  person,     // patient, person, member: who a key is about
  known,      // what others can know or see: age, sex, place, family, school, work, dates
  sensitive,  // health, money, belief, crime
  area_code,  // zip, postcode, NUTS: digits there count nothing
  outcome,    // class, target: what somebody wants to predict
};

// The first of the words that belongs to the topic, "" for none. Words are in English and German; an entry of the list
// that ends in * fits every word that begins so, one that begins with * every word that ends so.
std::string word_about(const std::vector<std::string>& words, Topic topic);

}  // namespace shoal
