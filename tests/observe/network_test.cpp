#include "capture/observe/network.hpp"

#include <algorithm>

#include "tests/observe/fake_host.hpp"

namespace browx::capture {
namespace {

using testing::fixture;
using testing::Recorded;
using testing::Stage;

std::vector<std::string> values(const archive::Headers& headers, const std::string& name) {
  std::vector<std::string> out;
  for (const auto& [key, value] : headers) {
    std::string lower = key;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (lower == name) out.push_back(value);
  }
  return out;
}

class NetworkTest : public ::testing::Test {
 protected:
  NetworkTest() : network(stage.hub) {
    stage.host.targets = {{"page2", TargetId(1)},
                          {"iframe1", TargetId(2)},
                          {"worker1", TargetId(3)},
                          {"service_worker1", TargetId(4)},
                          {"service_worker2", TargetId(4)}};
  }
  std::vector<archive::Request> requests() const { return stage.host.all<archive::Request>(); }
  std::vector<archive::Response> responses() const { return stage.host.all<archive::Response>(); }
  std::vector<archive::RequestEnd> ends() const { return stage.host.all<archive::RequestEnd>(); }
  /// A request row by the end of its URL.
  archive::Request request(const std::string& tail) const {
    for (const auto& row : requests())
      if (row.url.ends_with(tail)) return row;
    ADD_FAILURE() << "no request for " << tail;
    return {};
  }
  archive::Response response(RequestId id) const {
    for (const auto& row : responses())
      if (row.request == id) return row;
    ADD_FAILURE() << "no response for " << id.value();
    return {};
  }
  archive::RequestEnd end(RequestId id) const {
    for (const auto& row : ends())
      if (row.request == id) return row;
    ADD_FAILURE() << "no end for " << id.value();
    return {};
  }
  void expect_each_request_ended_once() const {
    std::multiset<std::int64_t> ended;
    for (const auto& row : ends()) ended.insert(row.request.value());
    for (const auto& row : requests()) EXPECT_EQ(ended.count(row.id.value()), 1u) << row.url;
    EXPECT_EQ(ends().size(), requests().size());
    EXPECT_LE(responses().size(), requests().size());
  }

  Stage stage;
  Network network;
};

TEST_F(NetworkTest, ARedirectChainIsOneRequestAHopWithItsOwnHeadersAndStatus) {
  stage.play(fixture("redirects"));
  ASSERT_EQ(requests().size(), 3u);
  const auto first = request("/r1"), second = request("/r2"), third = request("/api?y");
  EXPECT_FALSE(first.redirected_from);
  EXPECT_EQ(second.redirected_from, first.id);
  EXPECT_EQ(third.redirected_from, second.id);
  EXPECT_EQ(first.cdp_id, third.cdp_id);
  EXPECT_EQ(response(first.id).status, 302);
  EXPECT_EQ(values(response(first.id).headers, "set-cookie"), std::vector<std::string>{"r1=1"});
  EXPECT_EQ(response(second.id).status, 307);
  EXPECT_EQ(response(third.id).status, 200);
  // The cookie that the first answer set goes out with the second request.
  EXPECT_EQ(values(response(first.id).request_headers, "cookie"), std::vector<std::string>{"sid=1"});
  EXPECT_EQ(values(response(second.id).request_headers, "cookie"), std::vector<std::string>{"sid=1; r1=1"});
  expect_each_request_ended_once();
  EXPECT_TRUE(network.settled());
}

TEST_F(NetworkTest, TheRedirectChainIsTheSameWhateverTheOrderOfExtraInfo) {
  auto events = fixture("redirects");
  // All ExtraInfo first, in their own order: they come from another process.
  std::stable_partition(events.begin(), events.end(),
                        [](const Recorded& event) { return event.method.ends_with("ExtraInfo"); });
  stage.play(events);
  ASSERT_EQ(requests().size(), 3u);
  EXPECT_EQ(values(request("/r1").headers, "cookie"), std::vector<std::string>{"sid=1"});
  EXPECT_EQ(values(request("/r2").headers, "cookie"), std::vector<std::string>{"sid=1; r1=1"});
  EXPECT_EQ(response(request("/r1").id).status, 302);
  EXPECT_EQ(values(response(request("/r1").id).headers, "set-cookie"), std::vector<std::string>{"r1=1"});
  EXPECT_EQ(response(request("/r2").id).status, 307);
  EXPECT_EQ(response(request("/api?y").id).status, 200);
  expect_each_request_ended_once();
}

TEST_F(NetworkTest, AResponseWaitsForItsWireHeadersAndTheEndForTheResponse) {
  auto events = fixture("redirects");
  std::stable_partition(events.begin(), events.end(),
                        [](const Recorded& event) { return !event.method.ends_with("ExtraInfo"); });
  std::vector<Recorded> told(events.begin(),
                             std::find_if(events.begin(), events.end(), [](const Recorded& event) {
                               return event.method.ends_with("ExtraInfo");
                             }));
  stage.play(told);
  EXPECT_EQ(requests().size(), 3u);  // at once
  EXPECT_TRUE(responses().empty());
  EXPECT_TRUE(ends().empty());
  EXPECT_FALSE(network.settled());
  stage.play(std::vector<Recorded>(events.begin() + static_cast<std::ptrdiff_t>(told.size()), events.end()));
  EXPECT_EQ(values(response(request("/r1").id).headers, "set-cookie"), std::vector<std::string>{"r1=1"});
  expect_each_request_ended_once();
  EXPECT_TRUE(network.settled());
}

TEST_F(NetworkTest, WireHeadersThatNeverComeDoNotKeepTheResponse) {
  for (const auto& event : fixture("redirects"))
    if (!event.method.ends_with("ExtraInfo")) stage.play(event);
  ASSERT_FALSE(stage.host.later.empty());
  for (const auto& run : stage.host.later) run();
  EXPECT_EQ(responses().size(), 3u);
  expect_each_request_ended_once();
  EXPECT_TRUE(network.settled());
}

TEST_F(NetworkTest, ADocumentsRequestBelongsToNoDocumentYetAndItsCookiesAreKept) {
  stage.host.documents["558C4931BD9CAF96CBE2DEF0D11E5F3A"] = DocumentId(7);
  stage.play(fixture("document"));
  ASSERT_EQ(requests().size(), 1u);
  EXPECT_FALSE(requests()[0].document);
  EXPECT_EQ(requests()[0].resource_type, "Document");
  EXPECT_EQ(requests()[0].target, TargetId(1));
  EXPECT_EQ(values(response(requests()[0].id).headers, "set-cookie"),
            std::vector<std::string>{"sid=1; HttpOnly"});
  EXPECT_EQ(end(requests()[0].id).encoded_bytes, 2543);
}

TEST_F(NetworkTest, AnOutOfProcessDocumentBeginsInItsParentAndEndsInItsOwnSession) {
  auto wanted =
      network.want_bodies([](const RequestFacts& facts) { return facts.resource_type == "Document"; });
  std::string id;
  for (const auto& event : fixture("oopif"))
    if (event.method == "Network.requestWillBeSent" && id.empty())
      id = json_string(event.params, "requestId");
  stage.host.bodies["iframe1 " + id] = "<title>c</title>";
  stage.host.documents["D34C595A958A0F9780DA05C6171BE28D"] = DocumentId(9);
  stage.play(fixture("oopif"));
  ASSERT_EQ(requests().size(), 2u);
  EXPECT_EQ(request("/cross.html").target, TargetId(1));
  EXPECT_EQ(request("/ci.png").target, TargetId(2));
  EXPECT_EQ(request("/ci.png").document, DocumentId(9));
  EXPECT_EQ(stage.host.asked, std::vector<std::string>{"iframe1 " + id});  // where it was loaded
  EXPECT_EQ(end(request("/cross.html").id).body, "<title>c</title>");
  expect_each_request_ended_once();
}

TEST_F(NetworkTest, AWorkersScriptAndFetchesAreOneRequestEachThoughTwoSessionsTellOfThem) {
  stage.play(fixture("worker"));
  ASSERT_EQ(requests().size(), 2u);
  EXPECT_EQ(request("/fromworker").target, TargetId(3));
  EXPECT_FALSE(request("/fromworker").document);
  EXPECT_EQ(response(request("/w.js").id).mime, "text/javascript");
  EXPECT_EQ(values(request("/fromworker").headers, "host"),
            std::vector<std::string>{"127.0.0.1:8080"});  // told by the page
  expect_each_request_ended_once();
}

TEST_F(NetworkTest, AServiceWorkerAttachedTwiceIsToldOnce) {
  stage.play(fixture("service_worker"));
  ASSERT_EQ(requests().size(), 3u);
  EXPECT_TRUE(response(request("/viasw").id).from_service_worker);
  EXPECT_EQ(response(request("/swinner").id).status, 200);
  expect_each_request_ended_once();
}

TEST_F(NetworkTest, ARevalidationHasTheWiresStatus) {
  stage.play(fixture("not_modified"));
  ASSERT_EQ(requests().size(), 2u);
  EXPECT_EQ(response(requests()[0].id).status, 200);
  EXPECT_FALSE(response(requests()[0].id).from_cache);
  EXPECT_EQ(response(requests()[1].id).status, 304);
  EXPECT_EQ(response(requests()[1].id).status_text, "Not Modified");
  EXPECT_TRUE(response(requests()[1].id).from_cache);
}

TEST_F(NetworkTest, ACachedAnswerIsSaidToBeCached) {
  stage.play(fixture("cached"));
  ASSERT_EQ(requests().size(), 2u);
  EXPECT_FALSE(response(requests()[0].id).from_cache);
  EXPECT_TRUE(response(requests()[1].id).from_cache);
  expect_each_request_ended_once();
}

TEST_F(NetworkTest, APreflightIsARequestAndACorsRefusalSaysWhy) {
  stage.play(fixture("cors"));
  ASSERT_EQ(requests().size(), 3u);
  const auto refused = request("/nocors");
  EXPECT_FALSE(end(refused.id).ok);
  EXPECT_EQ(end(refused.id).error, "net::ERR_FAILED (CORS: MissingAllowOriginHeader)");
  std::vector<std::string> methods;
  for (const auto& row : requests())
    if (row.url.ends_with("/cors"))
      methods.push_back(row.method + " " + row.resource_type + (row.body ? " " + *row.body : ""));
  std::sort(methods.begin(), methods.end());
  EXPECT_EQ(methods, (std::vector<std::string>{"OPTIONS Preflight", "PUT Fetch put"}));
  expect_each_request_ended_once();
}

TEST_F(NetworkTest, FailuresAndAbortsEndTheirRequests) {
  stage.play(fixture("failures"));
  EXPECT_EQ(end(request("/reset").id).error, "net::ERR_EMPTY_RESPONSE");
  EXPECT_EQ(end(request("/slow").id).error, "net::ERR_ABORTED");
  EXPECT_EQ(response(request("/slow").id).status, 200);
  expect_each_request_ended_once();
}

TEST_F(NetworkTest, AnAnswerWithoutABodyIsNoFailureAlthoughTheBrowserCallsItsLoadingOff) {
  for (const int status : {204, 404}) {
    const std::string id = "9844." + std::to_string(status);
    Json request = {{"url", "http://127.0.0.1:8080/items/" + std::to_string(status)}, {"method", "DELETE"}};
    request["headers"] = Json::object();
    Json asked = {
        {"requestId", id}, {"loaderId", "L1"}, {"frameId", "F1"}, {"timestamp", 1193.5}, {"type", "Fetch"}};
    asked["request"] = std::move(request);
    asked["initiator"] = {{"type", "script"}};
    Json response = {
        {"url", "http://127.0.0.1:8080/items"}, {"status", status}, {"statusText", ""}, {"mimeType", ""}};
    response["headers"] = Json::object();
    Json answered = {{"requestId", id}, {"timestamp", 1193.51}, {"type", "Fetch"}, {"hasExtraInfo", false}};
    answered["response"] = std::move(response);
    Json off = {{"requestId", id},
                {"timestamp", 1193.52},
                {"type", "Fetch"},
                {"errorText", "net::ERR_ABORTED"},
                {"canceled", true}};
    stage.play(Recorded{"page2", "Network.requestWillBeSent", 1193.5, asked});
    stage.play(Recorded{"page2", "Network.responseReceived", 1193.51, answered});
    stage.play(Recorded{"page2", "Network.loadingFailed", 1193.52, off});
  }
  EXPECT_TRUE(end(request("/204").id).ok);
  EXPECT_EQ(end(request("/204").id).error, "");
  EXPECT_FALSE(end(request("/404").id).ok);
  EXPECT_EQ(end(request("/404").id).error, "net::ERR_ABORTED");
  expect_each_request_ended_once();
}

TEST_F(NetworkTest, ABodySentIsKeptAsBytes) {
  stage.play(fixture("post"));
  ASSERT_EQ(requests().size(), 1u);
  EXPECT_EQ(requests()[0].method, "POST");
  EXPECT_EQ(requests()[0].body, "{\"a\":1}");
  EXPECT_EQ(response(requests()[0].id).status, 201);
}

TEST_F(NetworkTest, ABodyThatTheBrowserDoesNotTellIsAGap) {
  for (auto event : fixture("post")) {
    if (event.method == "Network.requestWillBeSent") {
      event.params["request"].erase("postData");
      event.params["request"].erase("postDataEntries");
    }
    stage.play(event);
  }
  const auto gaps = stage.host.all<archive::Gap>();
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].reason, "body-missing");
  EXPECT_FALSE(requests()[0].body);
}

TEST_F(NetworkTest, WhatNeverLeavesTheBrowserHasNoRow) {
  stage.play(fixture("inside"));
  EXPECT_TRUE(stage.host.facts.empty());
}

TEST_F(NetworkTest, TimesAreSessionTimesAndNeverRunBackwardsWithinARequest) {
  for (const char* name : {"redirects", "cors", "document", "oopif", "worker", "not_modified", "failures"})
    stage.play(fixture(name));
  const auto first = request("/r1");
  EXPECT_EQ(first.t.us, 558'101);  // 1193.058101 s, and the session began at 1192.5 s
  for (const auto& row : requests()) EXPECT_GE(end(row.id).t, row.t) << row.url;
  for (const auto& row : responses()) EXPECT_GE(end(row.request).t, row.t);
}

TEST_F(NetworkTest, ABodyIsAskedForOnlyWhenSomebodyWantsItAndThenTheEndWaitsForIt) {
  stage.host.hold_bodies = true;
  const auto events = fixture("post");
  const std::string id = json_string(events[0].params, "requestId");
  {
    auto wanted = network.want_bodies([](const RequestFacts& facts) { return facts.status == 201; });
    stage.play(events);
    ASSERT_EQ(stage.host.held.size(), 1u);
    EXPECT_TRUE(ends().empty());
    EXPECT_FALSE(network.settled());
    stage.host.held[0](std::string("ok"));
    ASSERT_EQ(ends().size(), 1u);
    EXPECT_EQ(ends()[0].body, "ok");
    EXPECT_EQ(ends()[0].body_missing, "");
    EXPECT_TRUE(network.settled());
  }
  for (auto event : events) {
    event.params["requestId"] = "other";
    stage.play(event);
  }
  EXPECT_EQ(stage.host.held.size(), 1u);  // nobody wants any more
  EXPECT_EQ(ends().size(), 2u);
  EXPECT_FALSE(ends()[1].body);
}

TEST_F(NetworkTest, ALostBodySaysWhyItIsLost) {
  auto wanted = network.want_bodies([](const RequestFacts&) { return true; });
  stage.play(fixture("post"));  // the host answers "No resource with given identifier found"
  ASSERT_EQ(ends().size(), 1u);
  EXPECT_EQ(ends()[0].body_missing, "not kept by the browser");
  EXPECT_TRUE(ends()[0].ok);
}

TEST_F(NetworkTest, ABodyThatIsNeverReadEndsWhenAllItsBytesHaveCome) {
  for (const auto& event : fixture("post"))
    if (event.method != "Network.loadingFinished") stage.play(event);
  EXPECT_TRUE(ends().empty());
  ASSERT_EQ(stage.host.later.size(), 1u);
  stage.host.later[0]();
  ASSERT_EQ(ends().size(), 1u);
  EXPECT_TRUE(ends()[0].ok);
  EXPECT_EQ(ends()[0].encoded_bytes, 2);
  for (const auto& event : fixture("post"))
    if (event.method == "Network.loadingFinished") stage.play(event);
  EXPECT_EQ(ends().size(), 1u);
}

TEST_F(NetworkTest, AWorkersScriptIsARequestEvenWhenItsBeginningWasMissed) {
  stage.hub.attached("worker1", "worker");
  for (const auto& event : fixture("worker"))
    if (event.method != "Network.requestWillBeSent" || event.session != "page2") stage.play(event);
  ASSERT_EQ(requests().size(), 2u);
  EXPECT_EQ(request("/w.js").method, "GET");
  EXPECT_EQ(request("/w.js").target, TargetId(3));
  EXPECT_EQ(response(request("/w.js").id).status, 200);
  EXPECT_TRUE(stage.host.all<archive::Gap>().empty());
  expect_each_request_ended_once();
}

TEST_F(NetworkTest, LeavingAPageEndsWhatItWasStillLoading) {
  const auto events = fixture("failures");
  Json frame = {{"frame",
                 {{"id", json_string(events[0].params, "frameId")},
                  {"loaderId", json_string(events[0].params, "loaderId")},
                  {"url", "http://127.0.0.1:8080/"}}}};
  stage.play({"page2", "Page.frameNavigated", 1192.9, frame});
  for (const auto& event : events)
    if (event.method != "Network.loadingFailed") stage.play(event);
  EXPECT_TRUE(ends().empty());
  frame["frame"]["loaderId"] = "another";
  stage.play({"page2", "Page.frameNavigated", 1195, frame});
  ASSERT_EQ(ends().size(), 2u);
  EXPECT_EQ(ends()[0].error, "the page was left");
  EXPECT_FALSE(ends()[0].ok);
  expect_each_request_ended_once();
  stage.play(events);  // late news of the same ids changes nothing but what begins anew
  EXPECT_EQ(requests().size(), 4u);
}

TEST_F(NetworkTest, ATargetThatGoesEndsItsRequests) {
  for (const auto& event : fixture("worker"))
    if (event.method != "Network.loadingFinished") stage.play(event);
  stage.hub.gone("worker1");
  ASSERT_EQ(ends().size(), 2u);
  EXPECT_EQ(ends()[0].error, "its target has gone");
}

TEST_F(NetworkTest, TheDomainIsEnabledInEveryKindOfTargetThatLoads) {
  for (const char* type : {"page", "iframe", "worker", "service_worker", "shared_worker", "browser_ui"})
    stage.hub.attached(type, type);
  std::vector<std::string> enabled;
  for (const auto& call : stage.host.posted)
    if (call.method == "Network.enable") enabled.push_back(call.session);
  EXPECT_EQ(enabled,
            (std::vector<std::string>{"page", "iframe", "worker", "service_worker", "shared_worker"}));
}

}  // namespace
}  // namespace browx::capture
