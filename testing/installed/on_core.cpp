// Uses the core alone: the list of methods, and an error with its words.
#include <shoal/error.h>
#include <shoal/job/job.h>
#include <shoal/method/method.h>
#include <shoal/version.h>

#include <iostream>

int main() {
  shoal::Job job;
  job.method = "no-such-method";
  try {
    shoal::check_method_name(job);
  } catch (const shoal::Error& error) {
    std::cout << "shoal " << shoal::version() << ", " << shoal::methods().size() << " methods: " << error.what()
              << "\n";
    return shoal::methods().empty() ? 1 : 0;
  }
  return 1;  // a method that is not there must be refused
}
