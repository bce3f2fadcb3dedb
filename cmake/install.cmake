# What `cmake --install` (`make install PREFIX=...`) puts below a prefix: the program with its sample and DuckDB's library,
# which it finds relative to itself, so that the whole folder may be moved; and for programs in C++ the libraries with
# their headers, found by find_package(shoal) as shoal::core and shoal::files.
include(CMakePackageConfigHelpers)

set_target_properties(shoal PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
set_target_properties(shoal_core PROPERTIES EXPORT_NAME core)
set_target_properties(shoal_files PROPERTIES EXPORT_NAME files)
install(TARGETS shoal RUNTIME DESTINATION bin)
install(TARGETS shoal_core shoal_files EXPORT shoal ARCHIVE DESTINATION lib)

get_filename_component(duckdb_file "${DuckDB_LIBRARY}" REALPATH)
install(FILES "${duckdb_file}" DESTINATION lib RENAME libduckdb.so)
install(DIRECTORY shoal/ DESTINATION include/shoal FILES_MATCHING PATTERN "*.h")
install(DIRECTORY examples/census DESTINATION share/shoal/examples PATTERN "*.py" EXCLUDE)

install(EXPORT shoal NAMESPACE shoal:: FILE shoalTargets.cmake DESTINATION lib/cmake/shoal)
configure_package_config_file(cmake/shoalConfig.cmake.in "${CMAKE_BINARY_DIR}/shoalConfig.cmake"
  INSTALL_DESTINATION lib/cmake/shoal)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/shoalConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/shoalConfig.cmake" "${CMAKE_BINARY_DIR}/shoalConfigVersion.cmake"
  DESTINATION lib/cmake/shoal)
