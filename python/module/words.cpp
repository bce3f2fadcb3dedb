#include "words.h"

#include <fmt/format.h>

#include "shoal/shoal.h"

namespace shoal::python {
namespace {

namespace nb = nanobind;

std::string in_python(const Advice& advice) {
  const std::string& name = advice.name;
  switch (advice.setting) {
    case Setting::output:
    case Setting::recoding:
      return "release.save(folder)";
    case Setting::original:
      return "original=frame";
    case Setting::quasi:
      return "quasi=[\"age\", \"zip\"]";
    case Setting::target:
      return "target=\"column\"";
    case Setting::type:
      return fmt::format("categorical=[\"{}\"]", name);
    case Setting::hierarchy:
      return fmt::format("hierarchies={{\"{}\": ...}}", name);
    case Setting::k:
      return "k=5";
    case Setting::unite:
      return "union=True";
    case Setting::method:
      return "method=\"name\"";
    case Setting::parameter:
      return fmt::format("params={{\"{}\": value}}", name);
    case Setting::methods:
      return "methods=[\"kactus\", \"tdr\"]";
    case Setting::learners:
      return "learners=[\"c45\", \"nb\"]";
    case Setting::ks:
      return "k=10, or a list, k=[10, 50, 100]";
    case Setting::queries:
    case Setting::query_columns:
    case Setting::query_sum:
      return "queries are asked by the command line, `shoal measure --queries`";
    case Setting::about_method:
      return "shoal.methods(\"name\") lists the parameters";
    default:
      return "";
  }
}

struct Classes {
  PyObject *any, *job, *input, *cancelled;
};

PyObject* new_class(nb::module_& module, const char* name, const char* words, PyObject* base) {
  PyObject* made = PyErr_NewExceptionWithDoc(fmt::format("shoal.{}", name).c_str(), words, base, nullptr);
  module.attr(name) = nb::handle(made);
  return made;  // kept for the life of the process
}

}  // namespace

void bind_errors(nb::module_& module) {
  static Classes classes;
  classes.any = new_class(module, "ShoalError", "What the engine could not do, and why.", PyExc_Exception);
  classes.job = new_class(module, "JobError", "A job that makes no sense, or asks for what there is not.", classes.any);
  classes.input = new_class(module, "InputError", "A table or hierarchy that cannot be read as it is.", classes.any);
  new_class(module, "Unsatisfiable", "No recoding keeps what was asked; the message says why.", classes.any);
  new_class(module, "FindingError",
            "Something a careful steward must know stands in the way; mend the job, or accept it.", classes.any);
  new_class(module, "VerificationError", "The release failed its verification and was thrown away.", classes.any);
  classes.cancelled = new_class(module, "Cancelled", "The run was stopped through its cancel handle.", classes.any);
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void* payload) {
        const auto* known = static_cast<const Classes*>(payload);
        try {
          std::rethrow_exception(thrown);
        } catch (const Error& error) {
          PyObject* kind = error.kind() == ErrorKind::job     ? known->job
                           : error.kind() == ErrorKind::input ? known->input
                                                              : known->cancelled;
          std::string message = error.what();
          if (error.advice()) {
            const std::string how = in_python(*error.advice());
            if (!how.empty()) message += " (" + how + ")";
          }
          PyErr_SetString(kind, message.c_str());
        }
      },
      &classes);
}

}  // namespace shoal::python
