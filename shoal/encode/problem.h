// From a job and an encoded table to what a method searches in.
#pragma once

#include <string>
#include <vector>

#include "shoal/encode/counted_table.h"
#include "shoal/encode/encoding.h"
#include "shoal/encode/population.h"
#include "shoal/job/job.h"
#include "shoal/method/method.h"

namespace shoal {

// The columns of a requirement by name.
std::vector<std::string> column_names(const Requirement& requirement, const Table& table);

// The problem that the job poses on a table, or a part of one, for `method`, with that method's parameters complete and
// the rules of its models. Where the job says so (check_job has made sure of it for methods that take one requirement),
// its requirements are united into one; a method that does not obey average-risk is given a k that makes it hold;
// `notices` says so. The table and its encoding must outlive the problem. Throws Error(job) for a model that lacks what
// it needs: an order, a hierarchy, a value that it names, a population.
Problem make_problem(const Job& job, const MethodEntry& method, const Table& table, const Encoding& encoding,
                     std::vector<std::string>& notices);
// The same for a part of a table that is not at hand: models compare with what is known about the whole.
Problem make_problem(const Job& job, const MethodEntry& method, const Table& part, const Encoding& encoding,
                     const WholeTable& whole, std::vector<std::string>& notices);
// The same beside a population that the table was encoded with; nullptr: there is none.
Problem make_problem(const Job& job, const MethodEntry& method, const EncodedTable& encoded,
                     const Population* population, std::vector<std::string>& notices);

// Throws the Error(job) for a model that asks about a population where none is named.
[[noreturn]] void throw_no_population(const ModelSpec& model);

// Why no recoding can satisfy the requirements, whatever the method: fewer rows than k, or a model that the fully
// general table breaks. "" when nothing stands against it. `drops_rows`: rows may be left out. Throws as make_problem
// does.
std::string impossible(const std::vector<Requirement>& requirements, const Table& table, const Encoding& encoding,
                       const Population* population, bool drops_rows);
// The same of a table that is not at hand, without a population; `columns` has its columns, but no rows.
std::string impossible(const std::vector<Requirement>& requirements, const Table& columns, const Encoding& encoding,
                       const WholeTable& whole, bool drops_rows);
// Why a part of a table cannot be searched alone: its rows as one group do not keep the requirements. "" when they do.
// The same whether rows may be dropped or not: a part that would need that belongs together with others.
std::string impossible_alone(const std::vector<Requirement>& requirements, const Table& part, const Encoding& encoding,
                             const WholeTable& whole);

}  // namespace shoal
