#include <cstdio>
#include <exception>
#include <map>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "codegen/targets.hpp"
#include "mcp/options.hpp"

namespace {

/// The settings of the server as flags, each with the variable it overrides.
void add_settings(CLI::App& command, std::map<std::string, std::string>& flags) {
  for (const browx::mcp::Setting& setting : browx::mcp::settings()) {
    const std::string name(setting.flag);
    CLI::Option* option = command.add_option_function<std::string>(
        "--" + name, [&flags, name](const std::string& value) { flags[name] = value; },
        std::string(setting.help) + " [" + std::string(setting.variable) + "]");
    // "--headless" alone means yes.
    if (name == "headless" || name == "allow-file") option->expected(0, 1)->default_str("1");
    option->type_name("");
  }
}

int run(int argc, char** argv) {
  CLI::App app{"browx drives Chromium for an agent, records what happened and reads it back."};
  app.name("browx");
  app.set_version_flag("--version", "browx " BROWX_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 all right, 1 something does not work (doctor) or cannot be written (generate),\n"
      "2 wrong arguments or settings, 3 the file cannot be read (info, generate).");

  std::map<std::string, std::string> flags;
  CLI::App* mcp = app.add_subcommand("mcp", "Serve the Model Context Protocol on stdin and stdout");
  mcp->footer(
      "Each flag overrides the variable in brackets. The end of stdin or SIGTERM seals recordings and ends "
      "the server.");
  add_settings(*mcp, flags);

  std::string path;
  bool json = false;
  CLI::App* info = app.add_subcommand("info", "Say what a .browx archive holds");
  info->add_option("file", path, "The archive")->required();
  info->add_flag("--json", json, "As JSON");
  info->footer(
      "Exit status: 0 when the archive can be read, 2 wrong arguments, 3 it cannot be read. An archive that "
      "was\n"
      "killed, cut or damaged answers what it holds and says PARTIAL (\"partial\": true), with the reason.");

  std::string target = "playwright", output;
  std::string names, kinds;
  for (const auto& one : browx::codegen::targets()) {
    names += (names.empty() ? "" : ", ") + std::string(one.name);
    kinds += "\n  " + std::string(one.name) + std::string(12 - one.name.size(), ' ') + std::string(one.help);
  }
  CLI::App* generate = app.add_subcommand("generate", "Write a test or flow from a .browx archive");
  generate->add_option("file", path, "The archive")->required();
  generate->add_option("-t,--target", target, "What to write: " + names)
      ->default_str("playwright")
      ->type_name("");
  generate->add_option("-o,--output", output, "The file to write; stdout without it")->type_name("");
  generate->footer(
      "Targets:" + kinds +
      "\n\nSteps that cannot be written and locators that are fragile are named on stderr, and in the test.\n"
      "Exit status: 0 written, 1 the output cannot be written, 2 wrong arguments, 3 the archive cannot be "
      "read.");

  CLI::App* doctor = app.add_subcommand("doctor", "Check what browx needs on this machine");
  doctor->add_flag("--json", json, "As JSON");
  doctor->footer(
      "Exit status: 0 when nothing fails (warnings included), 1 when something fails, 2 wrong arguments.");
  add_settings(*doctor, flags);

  CLI::App* tools = app.add_subcommand("tools", "Print the reference of all tools as Markdown");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? browx::cli::kOk : browx::cli::kUsage;
  }
  if (mcp->parsed()) return browx::cli::run_mcp(flags);
  if (info->parsed()) return browx::cli::run_info(path, json);
  if (generate->parsed()) return browx::cli::run_generate(path, target, output);
  if (doctor->parsed()) return browx::cli::run_doctor(flags, json);
  if (tools->parsed()) return browx::cli::run_tools();
  return browx::cli::kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "browx: internal error: %s\n", e.what());
    return 70;
  }
}
