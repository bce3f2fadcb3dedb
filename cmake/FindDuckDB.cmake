# Finds libduckdb and duckdb.h below DuckDB_ROOT (tools/get_duckdb.sh prints one); defines DuckDB::DuckDB.
find_path(DuckDB_INCLUDE_DIR duckdb.h PATH_SUFFIXES include)
find_library(DuckDB_LIBRARY duckdb PATH_SUFFIXES lib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DuckDB REQUIRED_VARS DuckDB_LIBRARY DuckDB_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "run tools/get_duckdb.sh and pass the folder it prints as -DDuckDB_ROOT=...")
if(DuckDB_FOUND AND NOT TARGET DuckDB::DuckDB)
  add_library(DuckDB::DuckDB SHARED IMPORTED)
  set_target_properties(DuckDB::DuckDB PROPERTIES IMPORTED_LOCATION "${DuckDB_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${DuckDB_INCLUDE_DIR}")
endif()
