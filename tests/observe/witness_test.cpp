// What the fixture server saw is the witness: every request it got is a Request fact, and the other way
// round.

#include <algorithm>
#include <map>

#include "base/bytes.hpp"
#include "capture/observe/observers.hpp"
#include "tests/observe/facts.hpp"
#include "tests/support/engine_fixture.hpp"

namespace browx::capture {
namespace {

using browx::testing::EngineTest;
using browx::testing::PageRequest;
using browx::testing::PageResponse;
using testing::Told;

const std::string& png() {
  static const std::string bytes =
      base64_decode(
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
          .value();
  return bytes;
}

PageResponse plain(std::string body, std::string type = "text/plain") {
  PageResponse response;
  response.body = std::move(body);
  response.content_type = std::move(type);
  return response;
}

class WitnessTest : public EngineTest {
 protected:
  WitnessTest()
      : session(open()), tab(session->current_tab()), told(*session), seen_before(server.log().size()) {
    server.page("/favicon.ico", "");
    server.on("/w/i.png", [](const PageRequest&) { return plain(png(), "image/png"); });
    server.on("/w/s.css", [](const PageRequest&) { return plain("body{color:#123}", "text/css"); });
    server.on("/w/a.js", [](const PageRequest&) { return plain("var a=1", "text/javascript"); });
    server.on("/w/api", [](const PageRequest&) { return plain("{\"k\":1}", "application/json"); });
    server.on("/w/post", [](const PageRequest&) {
      auto response = plain("made");
      response.status = 201;
      return response;
    });
    server.on("/w/r1", [](const PageRequest&) { return redirect(302, "/w/r2"); });
    server.on("/w/r2", [](const PageRequest&) { return redirect(307, "/w/api?redirected"); });
    server.on("/w/cors", [](const PageRequest&) {
      auto response = plain("shared");
      response.headers = {{"Access-Control-Allow-Origin", "*"},
                          {"Access-Control-Allow-Methods", "PUT"},
                          {"Access-Control-Allow-Headers", "x-a"}};
      return response;
    });
    server.on("/w/closed", [](const PageRequest&) { return plain("not shared"); });
    server.on("/w/cached", [](const PageRequest&) {
      auto response = plain("kept");
      response.headers = {{"Cache-Control", "max-age=100"}};
      return response;
    });
    server.on("/w/etag", [](const PageRequest& request) {
      auto response = plain("same");
      response.headers = {{"Cache-Control", "no-cache"}, {"ETag", "\"1\""}};
      if (request.headers.contains("if-none-match")) {
        response.status = 304;
        response.body.clear();
      }
      return response;
    });
    server.on("/w/beacon", [](const PageRequest&) { return plain(""); });
  }
  static PageResponse redirect(int status, std::string to) {
    PageResponse response;
    response.status = status;
    response.headers = {{"Location", std::move(to)}, {"Set-Cookie", "hop=1"}};
    return response;
  }

  /// "METHOD path?query" of what the server saw and of the facts that went to it, each sorted. Favicons have
  /// a life of their own and are left out.
  std::vector<std::string> server_saw() const {
    std::vector<std::string> out;
    const auto log = server.log();
    for (std::size_t i = seen_before; i < log.size(); ++i) {
      const auto first = log[i].find(' '), second = log[i].find(' ', first + 1);
      std::string line = log[i].substr(0, first) + log[i].substr(second);
      if (line.find("favicon") == std::string::npos) out.push_back(std::move(line));
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  std::vector<std::string> facts_said() const {
    std::vector<std::string> out;
    const std::string port = ":" + std::to_string(server.port());
    for (const auto& row : told.all<archive::Request>()) {
      const auto at = row.url.find(port);
      const auto* response = told.response(row.id);
      if (at == std::string::npos || row.url.find("favicon") != std::string::npos) continue;
      if (response && (response->from_service_worker || (response->from_cache && response->status != 304)))
        continue;
      std::string url = row.url.substr(at + port.size());
      out.push_back(row.method + " " + url.substr(0, url.find('#')));
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  bool all_ended() const {
    for (const auto& row : told.all<archive::Request>())
      if (!told.end(row.id)) return false;
    return true;
  }
  void expect_agreement() {
    until([&] { return server_saw() == facts_said() && all_ended(); });
    EXPECT_EQ(facts_said(), server_saw());
    for (const auto& row : told.all<archive::Request>())
      EXPECT_TRUE(told.end(row.id)) << row.method << " " << row.url;
    std::map<std::int64_t, int> ends;
    for (const auto& row : told.all<archive::RequestEnd>()) ++ends[row.request.value()];
    for (const auto& [request, count] : ends) EXPECT_EQ(count, 1) << request;
  }
  Json eval_async(const std::string& body) {
    return eval(tab->main_frame(),
                "(async () => { const quiet = p => p.then(r => r, e => null); " + body + " })()");
  }
  archive::Request one(const std::string& part) {
    const auto rows = told.requests(part);
    EXPECT_EQ(rows.size(), 1u) << part;
    return rows.empty() ? archive::Request{} : rows[0];
  }
  int status(const std::string& part) {
    const auto* response = told.response(one(part).id);
    return response ? response->status : 0;
  }

  std::shared_ptr<Session> session;
  std::shared_ptr<Tab> tab;
  Told told;
  std::size_t seen_before;
};

TEST_F(WitnessTest, APageWithItsResourcesAndFrames) {
  server.page("/w/same", "<title>s</title><script>fetch('/w/api?same')</script>");
  server.page("/w/cross", "<title>c</title><img src=/w/i.png?cross><script>fetch('/w/api?cross')</script>");
  server.page("/w/main",
              "<title>m</title><link rel=stylesheet href=/w/s.css><img src=/w/i.png><img src=/w/none.png>"
              "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='><script src=/w/a.js></script>"
              "<iframe src=/w/same></iframe><iframe src='" +
                  server.other_site("/w/cross") + "'></iframe>");
  go(*tab, server.url("/w/main"));
  until([&] { return told.ended("api?same") && told.ended("api?cross"); });
  expect_agreement();
  EXPECT_EQ(one("/w/main").resource_type, "Document");
  EXPECT_EQ(one("/w/s.css").resource_type, "Stylesheet");
  EXPECT_EQ(status("/w/none.png"), 404);
  EXPECT_EQ(one("/w/s.css").document, tab->main_frame().document());
  EXPECT_EQ(one("/w/s.css").target, tab->target());
  const auto cross = frame_showing(*tab, "/w/cross");
  EXPECT_EQ(one("api?cross").document, cross->document());
  EXPECT_EQ(one("api?cross").target, session->target_of(cross->cdp_session()));
  EXPECT_EQ(one("api?same").document, frame_showing(*tab, "/w/same")->document());
}

TEST_F(WitnessTest, FetchesRedirectsFailuresCachesAndPreflights) {
  server.page("/w/bare", "<title>b</title>");
  server.on("/w/drop", [](const PageRequest&) {
    PageResponse response;
    response.drop = true;
    return response;
  });
  go(*tab, server.url("/w/bare"));
  eval_async(
      "await quiet(fetch('/w/api?x=1').then(r => r.json()));"
      "await quiet(fetch('/w/post', {method: 'POST', headers: {'content-type': 'application/json'}, body: "
      "'{\"a\":1}'}));"
      "await quiet(fetch('/w/r1').then(r => r.text()));"
      "await quiet(fetch('" +
      server.other_site("/w/closed") +
      "'));"
      "await quiet(fetch('" +
      server.other_site("/w/cors") +
      "', {method: 'PUT', headers: {'x-a': '1'}, body: 'put'}));"
      "await quiet(fetch('/w/cached').then(r => r.text())); await quiet(fetch('/w/cached').then(r => "
      "r.text()));"
      "await quiet(fetch('/w/etag').then(r => r.text())); await quiet(fetch('/w/etag').then(r => r.text()));"
      "await quiet(fetch('data:text/plain,hi'));"
      "navigator.sendBeacon('/w/beacon', 'alive');");
  expect_agreement();
  EXPECT_EQ(one("/w/post").body, "{\"a\":1}");
  EXPECT_EQ(status("/w/post"), 201);
  EXPECT_EQ(status("/w/r1"), 302);
  EXPECT_EQ(status("/w/r2"), 307);
  EXPECT_EQ(one("/w/r2").redirected_from, one("/w/r1").id);
  EXPECT_EQ(one("api?redirected").redirected_from, one("/w/r2").id);
  const auto* refused = told.end(one("/w/closed").id);
  ASSERT_TRUE(refused);
  EXPECT_FALSE(refused->ok);
  EXPECT_NE(refused->error.find("CORS"), std::string::npos) << refused->error;
  EXPECT_EQ(told.requests("/w/cors").size(), 2u);
  ASSERT_EQ(told.requests("/w/cached").size(), 2u);
  EXPECT_TRUE(told.response(told.requests("/w/cached")[1].id)->from_cache);
  ASSERT_EQ(told.requests("/w/etag").size(), 2u);
  EXPECT_EQ(told.response(told.requests("/w/etag")[1].id)->status, 304);
  EXPECT_EQ(one("/w/beacon").resource_type, "Ping");
  EXPECT_TRUE(told.requests("data:").empty());

  // A connection that is dropped: the browser tries again on its own, and tells of one failed request.
  eval_async("await quiet(fetch('/w/drop'));");
  ASSERT_TRUE(until([&] { return told.ended("/w/drop"); }));
  EXPECT_FALSE(told.end(one("/w/drop").id)->ok);
  EXPECT_GE(server.count("/w/drop"), 1);
}

TEST_F(WitnessTest, TheHeadersOfTheWireAreKept) {
  server.page("/w/bare", "<title>b</title>");
  server.on("/w/cookie", [](const PageRequest&) {
    auto response = plain("c");
    response.headers = {{"Set-Cookie", "one=1"}, {"Set-Cookie", "two=2; HttpOnly"}};
    return response;
  });
  go(*tab, server.url("/w/bare"));
  eval_async("await fetch('/w/cookie'); await fetch('/w/api?after');");
  ASSERT_TRUE(until([&] { return told.ended("api?after"); }));
  int cookies = 0;
  for (const auto& [name, value] : told.response(one("/w/cookie").id)->headers)
    if (name == "Set-Cookie" || name == "set-cookie") ++cookies;
  EXPECT_EQ(cookies, 2);
  const auto after = one("api?after");
  std::string sent;
  for (const auto* headers : {&after.headers, &told.response(after.id)->request_headers})
    for (const auto& [name, value] : *headers)
      if (name == "Cookie" || name == "cookie") sent = value;
  EXPECT_NE(sent.find("two=2"), std::string::npos) << sent;
}

TEST_F(WitnessTest, WorkersAndServiceWorkers) {
  server.page("/w/bare", "<title>b</title>");
  server.on("/w/worker.js", [](const PageRequest&) {
    return plain("fetch('/w/api?worker').then(r => r.text()).then(() => postMessage(1))", "text/javascript");
  });
  server.on("/w/sw.js", [](const PageRequest&) {
    return plain(
        "onactivate = e => e.waitUntil(clients.claim());"
        "onfetch = e => { if (e.request.url.includes('viasw'))"
        " e.respondWith(fetch('/w/api?inner').then(() => new Response('sw'))) }",
        "text/javascript");
  });
  go(*tab, server.url("/w/bare"));
  eval_async("const w = new Worker('/w/worker.js'); await new Promise(done => w.onmessage = done);");
  eval_async(
      "await navigator.serviceWorker.register('/w/sw.js');"
      "await navigator.serviceWorker.ready;"
      "if (!navigator.serviceWorker.controller) await new Promise(done => "
      "navigator.serviceWorker.oncontrollerchange = done);"
      "await fetch('/w/viasw').then(r => r.text());");
  until([&] { return told.ended("viasw") && told.ended("inner"); });
  expect_agreement();
  EXPECT_TRUE(told.response(one("/w/viasw").id)->from_service_worker);
  EXPECT_NE(one("api?worker").target, tab->target());
}

TEST_F(WitnessTest, WhatAPageSendsWhileItIsLeft) {
  server.page("/w/leave",
              "<title>l</title><script>addEventListener('pagehide', () => {"
              " navigator.sendBeacon('/w/beacon?hide', 'bye');"
              " fetch('/w/api?keep', {method: 'POST', body: 'ka', keepalive: true}) })</script>");
  server.page("/w/next", "<title>n</title><script>fetch('/w/api?next')</script>");
  for (const auto& next :
       {server.url("/w/next"), server.other_site("/w/next")}) {  // the same process, and another one
    go(*tab, server.url("/w/leave"));
    const auto left = tab->main_frame().document();
    const auto before = told.requests("beacon?hide").size();
    go(*tab, next);
    ASSERT_TRUE(until([&] { return told.requests("beacon?hide").size() > before; })) << next;
    const auto beacon = told.requests("beacon?hide").back();
    EXPECT_EQ(beacon.document, left);
    EXPECT_EQ(beacon.body, "bye");
    ASSERT_TRUE(until([&] { return told.end(beacon.id) != nullptr; }));
    ASSERT_TRUE(told.response(beacon.id));
    EXPECT_EQ(told.response(beacon.id)->status, 200);
  }
  expect_agreement();
  EXPECT_EQ(told.requests("api?keep").size(), 2u);
}

TEST_F(WitnessTest, APopupIsObservedFromItsFirstRequest) {
  server.page("/w/opener", "<title>o</title>");
  server.page(
      "/w/popup",
      "<title>p</title><link rel=stylesheet href=/w/s.css?popup><script>fetch('/w/api?popup')</script>");
  go(*tab, server.url("/w/opener"));
  eval(tab->main_frame(), "void window.open('/w/popup')");
  until([&] { return told.ended("api?popup") && told.ended("s.css?popup"); });
  expect_agreement();
  EXPECT_NE(one("api?popup").target, tab->target());
}

TEST_F(WitnessTest, LeavingAPageEndsWhatWasStillLoading) {
  server.page("/w/bare", "<title>b</title>");
  server.on("/w/slow", [](const PageRequest&) {
    auto response = plain("late");
    response.delay = std::chrono::milliseconds(1500);
    return response;
  });
  go(*tab, server.url("/w/bare"));
  eval(tab->main_frame(), "void fetch('/w/slow')");
  ASSERT_TRUE(until([&] { return told.requests("/w/slow").size() == 1; }));
  go(*tab, server.other_site("/w/bare"));
  ASSERT_TRUE(until([&] { return told.ended("/w/slow"); }, std::chrono::milliseconds(1000)));
  EXPECT_FALSE(told.end(one("/w/slow").id)->ok);
}

TEST_F(WitnessTest, BodiesAreTheBytesThatWereServed) {
  auto wanted = session->observers().want_bodies([](const RequestFacts& facts) {
    return facts.resource_type == "Image" || facts.resource_type == "Document" ||
           facts.resource_type == "Stylesheet" || facts.resource_type == "Fetch";
  });
  server.page("/w/bodies",
              "<title>ü</title><link rel=stylesheet href=/w/s.css><img src=/w/i.png>"
              "<script>fetch('/w/api?body').then(r => r.text()); fetch('/w/api?unread')</script>");
  go(*tab, server.url("/w/bodies"));
  ASSERT_TRUE(until([&] {
    return told.ended("s.css") && told.ended("i.png") && told.ended("api?body") && told.ended("api?unread");
  }));
  EXPECT_TRUE(must(session->observers().bodies_settled(Deadline::in(std::chrono::seconds(5)))));
  EXPECT_EQ(told.end(one("/w/s.css").id)->body, "body{color:#123}");
  EXPECT_EQ(told.end(one("/w/i.png").id)->body, png());
  EXPECT_EQ(told.end(one("api?body").id)->body, "{\"k\":1}");
  const auto* unread = told.end(one("api?unread").id);  // the browser gives out only what a page has read
  EXPECT_TRUE(unread->ok);
  EXPECT_TRUE(unread->body == "{\"k\":1}" || unread->body_missing == "never read by the page")
      << unread->body_missing;
  ASSERT_TRUE(told.end(one("/w/bodies").id)->body);
  EXPECT_NE(told.end(one("/w/bodies").id)->body->find("<title>ü</title>"), std::string::npos);
}

TEST_F(WitnessTest, AWantedBodyIsThereOrSaidToBeMissing) {
  auto wanted = session->observers().want_bodies([](const RequestFacts&) { return true; });
  server.page("/w/bare", "<title>b</title>");
  server.page("/w/going", "<title>g</title><script>fetch('/w/api?going').then(() => location = '" +
                              server.other_site("/w/bare") + "')</script>");
  go(*tab, server.url("/w/going"));
  ASSERT_TRUE(until([&] { return told.ended("api?going") && told.ended("/w/bare"); }));
  const auto* end = told.end(one("api?going").id);
  // Leaving the page may be quicker than the end of the answer: then the request has failed, and says so.
  EXPECT_TRUE(end->ok ? end->body.has_value() || !end->body_missing.empty() : !end->error.empty());
}

TEST_F(WitnessTest, TimesLieBetweenTheActionsThatCausedThem) {
  server.page("/w/bare", "<title>b</title>");
  go(*tab, server.url("/w/bare"));
  const Time before = session->journal().now();
  eval_async("await fetch('/w/api?timed').then(r => r.text());");
  const Time after = session->journal().now();
  ASSERT_TRUE(until([&] { return told.ended("api?timed"); }));
  const auto request = one("api?timed");
  EXPECT_GE(request.t, before);
  EXPECT_LE(request.t, after);
  EXPECT_GE(told.end(request.id)->t, told.response(request.id)->t);
  EXPECT_LE(told.end(request.id)->t, session->journal().now());
}

}  // namespace
}  // namespace browx::capture
