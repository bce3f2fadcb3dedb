#include "shoal/examine/role_words.h"

#include <cctype>

namespace shoal {
namespace {

constexpr std::string_view kIdentity =
    "name names firstname forename lastname surname fullname vorname nachname familienname geburtsname maiden initials "
    "email mail e-mail phone telephone telefon tel mobile handy fax ssn iban bic passport pass license licence "
    "address addr adresse street strasse straße anschrift hausnummer url website homepage username login nickname "
    "insurancenumber versichertennummer krankenversicherungsnummer kvnr svnr steuernummer taxid";
constexpr std::string_view kKey =
    "id ids nr nbr no num number nummer *nummer *number key schluessel schlüssel uuid guid kennung pid";
constexpr std::string_view kPerson =
    "patient* person* subject proband* participant member* mitglied* customer* kunde* client* user* resident* "
    "respondent* insured versicherte* employee* mitarbeiter* student* pupil* schueler* pid";
constexpr std::string_view kKnown =
    "age alter birth* born dob geburt* sex gender geschlecht race ethnic* nation* national* citizen* staats* country "
    "land region* state bundesland province county kreis district bezirk city stadt ort town place wohnort "
    "municipality "
    "gemeinde zip* postal* postcode plz postleitzahl nuts geo marital* married marriage familienstand civil family "
    "household haushalt* hhsize relationship spouse partner child* kinder* kids education* educ school schul* "
    "bildung* degree abschluss graduat* occupation* beruf* job profession* work* worker arbeit* employ* industry "
    "branche "
    "language sprache height groesse größe cm kg bmi date datum day tag month monat year jahr admission* admitted "
    "aufnahme* "
    "discharge* entlassung* hospital klinik clinic ward station department abteilung visit besuch time* housing "
    "wohnung "
    "foreign* veteran immigra* residence";
constexpr std::string_view kSensitive =
    "diag* dx icd* disease* krankheit* illness* disorder* condition* symptom* comorbid* drug* medikament* medic* "
    "treatment* therap* surgery operation procedure* befund* blood blut* glucose hba1c hiv hepatitis cancer krebs "
    "tumor* tumour* lab labor* result* ergebnis* psych* depress* alcohol* alkohol* smok* rauch* addict* disab* "
    "pregnan* "
    "schwanger* income* einkommen* salary gehalt* wage* lohn* pay earn* revenue capital debt* schulden credit* loan* "
    "balance bill* amount betrag cost* kosten price payment* asset* wealth savings religion* relig* konfession party "
    "partei politic* vote* sexual* orientation crime* criminal* convict* arrest* score rating grade note* limit";
constexpr std::string_view kAreaCode = "zip* postal* postcode plz postleitzahl nuts fips";
constexpr std::string_view kOutcome = "class target label outcome response churn default y";

std::string_view list_of(Topic topic) {
  switch (topic) {
    case Topic::identity:
      return kIdentity;
    case Topic::key:
      return kKey;
    case Topic::person:
      return kPerson;
    case Topic::known:
      return kKnown;
    case Topic::sensitive:
      return kSensitive;
    case Topic::area_code:
      return kAreaCode;
    case Topic::outcome:
      return kOutcome;
  }
  return "";
}

bool listed(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find(' '));
    list.remove_prefix(std::min(list.size(), entry.size() + 1));
    if (entry == word) return true;
    if (entry.starts_with('*') && word.ends_with(entry.substr(1))) return true;
    if (entry.ends_with('*') && word.starts_with(entry.substr(0, entry.size() - 1))) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> words_of_name(std::string_view name) {
  enum class Sort { none, lower, upper, digit };
  const auto sort_of = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isdigit(byte)) return Sort::digit;
    if (byte >= 0x80 || std::islower(byte)) return Sort::lower;
    return std::isupper(byte) ? Sort::upper : Sort::none;
  };
  std::vector<std::string> words;
  Sort before = Sort::none;
  for (size_t i = 0; i < name.size(); ++i) {
    const Sort sort = sort_of(name[i]);
    const Sort next = i + 1 < name.size() ? sort_of(name[i + 1]) : Sort::none;
    // A capital begins a word after a small letter (patientId) and before one (HTTPCode).
    const bool begins = before == Sort::none || (sort == Sort::digit) != (before == Sort::digit) ||
                        (sort == Sort::upper && before == Sort::lower) ||
                        (sort == Sort::upper && before == Sort::upper && next == Sort::lower);
    if (sort != Sort::none && begins) words.emplace_back();
    if (sort != Sort::none) words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    before = sort;
  }
  return words;
}

std::string word_about(const std::vector<std::string>& words, Topic topic) {
  for (const std::string& word : words) {
    if (listed(list_of(topic), word)) return word;
  }
  return "";
}

}  // namespace shoal
