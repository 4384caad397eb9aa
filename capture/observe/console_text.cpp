#include "capture/observe/console_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace browx::capture {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\'' || c == '\\')
      (out += '\\') += c;
    else
      out += c;
  }
  return out + "'";
}

std::string preview_text(const Json& preview);

/// A PropertyPreview's or entry's value: previews nest one level deep, deeper ones come as a description.
std::string property_text(const Json& property) {
  const Json& nested = json_member(property, "valuePreview");
  if (nested.is_object()) return preview_text(nested);
  const std::string type = json_string(property, "type");
  const std::string value = json_string(property, "value");
  if (type == "string") return quoted(value);
  if (type == "accessor") return "(...)";
  if (type == "function") return value.empty() ? "ƒ" : value;
  if (type == "object" && value.empty())
    return json_string(property, "subtype") == "null" ? "null" : "Object";
  return value;
}

std::string preview_text(const Json& preview) {
  const std::string type = json_string(preview, "type"), subtype = json_string(preview, "subtype");
  const std::string description = json_string(preview, "description");
  if (type != "object") return type == "string" ? quoted(description) : description;
  if (subtype == "null") return "null";
  if (subtype == "error" || subtype == "regexp" || subtype == "date" || subtype == "node" ||
      subtype == "promise" || subtype == "proxy")
    return description;
  const bool list = subtype == "array" || subtype == "typedarray";
  std::string body;
  const auto add = [&](const std::string& text) { body += (body.empty() ? "" : ", ") + text; };
  for (const auto& property : json_member(preview, "properties")) {
    const std::string name = json_string(property, "name");
    const bool index = list && !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
    if ((subtype == "map" || subtype == "set") && name == "size") continue;
    add(index ? property_text(property) : name + ": " + property_text(property));
  }
  for (const auto& entry : json_member(preview, "entries")) {
    const Json& key = json_member(entry, "key");
    const std::string value = preview_text(json_member(entry, "value"));
    add(key.is_object() ? preview_text(key) + " => " + value : value);
  }
  if (json_bool(preview, "overflow")) add("…");
  const std::string head = description == "Object" || subtype == "array" ? "" : description + " ";
  return head + (list ? "[" : "{") + body + (list ? "]" : "}");
}

std::string number_text(const Json& value) {
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  return fmt::format("{}", value.get<double>());
}

/// The number an argument means to %d, %i and %f.
std::string as_number(const Json& arg, bool integer) {
  double number = std::nan("");
  const Json& value = json_member(arg, "value");
  if (value.is_number())
    number = value.get<double>();
  else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    char* end = nullptr;
    const double parsed = std::strtod(text.c_str(), &end);
    if (end != text.c_str()) number = parsed;
  } else if (arg.contains("unserializableValue")) {
    return json_string(arg, "unserializableValue");
  }
  if (std::isnan(number)) return "NaN";
  if (integer) return fmt::format("{:.0f}", std::trunc(number));
  return fmt::format("{}", number);
}

}  // namespace

std::string console_value(const Json& arg) {
  const std::string type = json_string(arg, "type"), subtype = json_string(arg, "subtype");
  const Json& value = json_member(arg, "value");
  if (type == "undefined") return "undefined";
  if (arg.contains("unserializableValue")) return json_string(arg, "unserializableValue");
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number()) return number_text(value);
  if (subtype == "null") return "null";
  const Json& preview = json_member(arg, "preview");
  if (preview.is_object()) return preview_text(preview);
  const std::string description = json_string(arg, "description");
  if (!description.empty()) return description;
  return value.is_null() ? type : dump_json(value);
}

std::string console_text(const Json& args) {
  std::string out;
  if (!args.is_array() || args.empty()) return out;
  std::size_t next = 0;
  const Json& first = json_member(args[0], "value");
  if (first.is_string()) {
    const auto& format = first.get_ref<const std::string&>();
    next = 1;
    for (std::size_t i = 0; i < format.size(); ++i) {
      const char kind = format[i] == '%' && i + 1 < format.size() ? format[i + 1] : '\0';
      if (kind == '%') {
        out += '%';
        ++i;
      } else if (kind != '\0' && std::string_view("sdifoOc").find(kind) != std::string_view::npos &&
                 next < args.size()) {
        const Json& arg = args[next++];
        if (kind == 'd' || kind == 'i')
          out += as_number(arg, true);
        else if (kind == 'f')
          out += as_number(arg, false);
        else if (kind != 'c')
          out += console_value(arg);  // %c styles, and prints nothing
        ++i;
      } else {
        out += format[i];
      }
    }
  }
  for (; next < args.size(); ++next) out += (next == 0 ? "" : " ") + console_value(args[next]);
  return out;
}

std::string stack_text(const Json& stack_trace, int limit) {
  std::string out;
  for (const Json* trace = &stack_trace; trace->is_object() && limit > 0;
       trace = &json_member(*trace, "parent")) {
    if (trace != &stack_trace && trace->contains("description"))
      out += (out.empty() ? "" : "\n") + ("    -- " + json_string(*trace, "description") + " --");
    for (const auto& frame : json_member(*trace, "callFrames")) {
      if (limit-- <= 0) break;
      const std::string place =
          fmt::format("{}:{}:{}", json_string(frame, "url"), json_int(frame, "lineNumber") + 1,
                      json_int(frame, "columnNumber") + 1);
      const std::string name = json_string(frame, "functionName");
      out += (out.empty() ? "" : "\n") +
             (name.empty() ? "    at " + place : "    at " + name + " (" + place + ")");
    }
  }
  return out;
}

std::string exception_text(const Json& details) {
  std::string text = json_string(details, "text", "Uncaught");
  const Json& exception = json_member(details, "exception");
  if (!exception.is_object()) return text;
  std::string value = console_value(exception);
  // An Error's description carries its stack: the message is what comes before the first frame.
  if (json_string(exception, "subtype") == "error") {
    value = json_string(exception, "description");
    const auto frames = value.find("\n    at ");
    if (frames != std::string::npos) value.resize(frames);
  }
  return value.empty() ? text : text + " " + value;
}

}  // namespace browx::capture
