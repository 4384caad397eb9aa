#include "capture/cdp/envelope.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include "capture/cdp/transport.hpp"

namespace browx::cdp {

static_assert(Transport::kPadding >= simdjson::SIMDJSON_PADDING);
namespace ondemand = simdjson::ondemand;

struct EnvelopeParser::Impl {
  ondemand::parser parser;
};

EnvelopeParser::EnvelopeParser() : impl_(std::make_unique<Impl>()) {}
EnvelopeParser::~EnvelopeParser() = default;

Result<Envelope> EnvelopeParser::parse(std::string_view message) {
  const auto corrupt = [](simdjson::error_code code) {
    return Error{Code::corrupt, fmt::format("The browser sent a message that is not JSON: {}",
                                            simdjson::error_message(code))};
  };
  ondemand::document document;
  const simdjson::padded_string_view padded(message.data(), message.size(),
                                            message.size() + Transport::kPadding);
  if (auto error = impl_->parser.iterate(padded).get(document)) return corrupt(error);
  ondemand::object object;
  if (auto error = document.get_object().get(object)) return corrupt(error);
  Envelope out;
  for (auto field_result : object) {
    ondemand::field field;
    if (auto error = std::move(field_result).get(field)) return corrupt(error);
    const ondemand::raw_json_string key = field.key();
    simdjson::error_code error = simdjson::SUCCESS;
    if (key == "id") {
      std::int64_t id = 0;
      error = field.value().get_int64().get(id);
      out.id = id;
    } else if (key == "method") {
      error = field.value().get_string().get(out.method);
    } else if (key == "sessionId") {
      error = field.value().get_string().get(out.session_id);
    } else if (key == "result") {
      error = simdjson::to_json_string(field.value()).get(out.result);
    } else if (key == "params") {
      error = simdjson::to_json_string(field.value()).get(out.params);
    } else if (key == "error") {
      error = simdjson::to_json_string(field.value()).get(out.error);
    }
    if (error) return corrupt(error);
  }
  if (!out.id && out.method.empty())
    return Error{Code::corrupt, "The browser sent a message without id and method"};
  return out;
}

std::string raw_string_member(std::string_view object, std::string_view key) {
  ondemand::parser parser;
  const simdjson::padded_string padded(object);
  ondemand::document document;
  std::string_view value;
  if (parser.iterate(padded).get(document)) return {};
  if (document[key].get_string().get(value)) return {};
  return std::string(value);
}

std::int64_t raw_int_member(std::string_view object, std::string_view key) {
  ondemand::parser parser;
  const simdjson::padded_string padded(object);
  ondemand::document document;
  std::int64_t value = 0;
  if (parser.iterate(padded).get(document)) return 0;
  if (document[key].get_int64().get(value)) return 0;
  return value;
}

}  // namespace browx::cdp
