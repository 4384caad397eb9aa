# browx_embed(TARGET name NAMESPACE ns FILES …): turns files into one generated pair in the build folder,
# generated/<target>/embedded.{hpp,cpp}, reachable as browx::<ns>::embedded_file("name") -> std::string_view (empty when unknown)
# and browx::<ns>::embedded_files() -> all of them in the order given.
function(browx_embed)
  cmake_parse_arguments(E "" "TARGET;NAMESPACE" "FILES" ${ARGN})
  set(dir ${PROJECT_BINARY_DIR}/generated/${E_TARGET})
  add_custom_command(
    OUTPUT ${dir}/embedded.cpp ${dir}/embedded.hpp
    COMMAND ${CMAKE_COMMAND} -DOUT_DIR=${dir} -DTARGET=${E_TARGET} -DNAMESPACE=${E_NAMESPACE} "-DFILES=${E_FILES}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${E_FILES} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  add_library(browx_${E_TARGET} STATIC ${dir}/embedded.cpp ${dir}/embedded.hpp)
  target_link_libraries(browx_${E_TARGET} PUBLIC browx_options)
endfunction()
