# browx_module(NAME x SOURCES … DEPS …): one static library per folder, root-relative includes, warnings as errors.
# browx_test(NAME x SOURCES … DEPS … [LABELS …] [TIMEOUT s]): one GoogleTest program, registered with ctest case by case.
set(BROWX_SANITIZE "" CACHE STRING "Comma list for -fsanitize=")

add_library(browx_options INTERFACE)
target_include_directories(browx_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(browx_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Werror)
# g++ 12 takes Asio's pair of coroutine frame operators for mismatched once it has inlined one of them.
target_compile_options(browx_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-mismatched-new-delete>)
target_compile_definitions(browx_options INTERFACE BROWX_VERSION="${PROJECT_VERSION}" BOOST_ASIO_NO_DEPRECATED)
if(BROWX_SANITIZE)
  target_compile_options(browx_options INTERFACE -fsanitize=${BROWX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(browx_options INTERFACE -fsanitize=${BROWX_SANITIZE})
  # In instrumented code g++ 12 takes moved-from members of libstdc++'s own <regex> for uninitialised.
  target_compile_options(browx_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  if(BROWX_SANITIZE MATCHES thread)
    # The thread sanitizer does not understand fences; Asio's are redundant beside its own locks and atomics.
    target_compile_definitions(browx_options INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
endif()

find_program(BROWX_CCACHE ccache)
if(BROWX_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${BROWX_CCACHE})
endif()

function(browx_module)
  cmake_parse_arguments(M "" "NAME" "SOURCES;DEPS" ${ARGN})
  add_library(browx_${M_NAME} STATIC ${M_SOURCES})
  target_link_libraries(browx_${M_NAME} PUBLIC browx_options ${M_DEPS})
endfunction()

function(browx_test)
  cmake_parse_arguments(T "" "NAME;TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 60)
  endif()
  add_executable(${T_NAME} ${T_SOURCES})
  target_link_libraries(${T_NAME} PRIVATE ${T_DEPS} GTest::gtest GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${T_NAME} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${T_TIMEOUT} LABELS "${T_LABELS}")
endfunction()
