#include "base/url.hpp"

#include <gtest/gtest.h>

namespace browx {
namespace {

TEST(Url, PartsAreSplitAsABrowserWould) {
  const auto url = parse_url("  HTTPS://User:p%40ss@Example.COM:8443/a/b;c?x=1&y=?#frag#ment\n");
  ASSERT_TRUE(url.ok()) << url.error().message();
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->userinfo, "User:p%40ss");
  EXPECT_EQ(url->host, "example.com");
  EXPECT_EQ(url->port, 8443);
  EXPECT_EQ(url->path, "/a/b;c");
  EXPECT_EQ(url->query, "x=1&y=?");
  EXPECT_EQ(url->fragment, "frag#ment");
  EXPECT_EQ(url->origin(), "https://example.com:8443");
}

TEST(Url, ADefaultPortIsNone) {
  EXPECT_EQ(parse_url("http://a:80")->origin(), "http://a");
  EXPECT_EQ(parse_url("wss://a:443/x")->port, -1);
  EXPECT_EQ(parse_url("https://a:80/")->origin(), "https://a:80");
  EXPECT_EQ(parse_url("http://a:/")->port, -1);
}

TEST(Url, OpaqueSchemesHaveNoOrigin) {
  for (const char* text : {"about:blank", "data:text/html,<p>x", "blob:https://a/1-2", "javascript:1"}) {
    const auto url = parse_url(text);
    ASSERT_TRUE(url.ok()) << text;
    EXPECT_EQ(url->origin(), "null") << text;
  }
  EXPECT_EQ(parse_url("file:///tmp/x.html")->path, "/tmp/x.html");
  EXPECT_EQ(parse_url("chrome://settings/a")->origin(), "chrome://settings");
}

TEST(Url, SpellingsOfOneAddressAreOneHost) {
  for (const char* text :
       {"http://127.1/", "http://0x7f000001/", "http://2130706433/", "http:\\\\127.0.0.1\\",
        "http:/0177.0.0.1", "http://%31%32%37.0.0.1/", "http://127.0.0.1./"})
    EXPECT_EQ(parse_url(text)->host, "127.0.0.1") << text;
  EXPECT_EQ(parse_url("http://[::1]:8080/")->host, "[::1]");
  EXPECT_EQ(parse_url("http://[::1]:8080/")->port, 8080);
}

TEST(Url, WhatNoBrowserOpensIsRefusedWithTheReason) {
  for (const char* text : {"", "example.com", "//example.com/x", "http://", "http:///", "https://a b/",
                           "http://a:99999/", "http://a:x/", "http://[::1", "http://[zz]/",
                           "http://256.256.256.256/", "http://a%00b/", "://x", "1http://x"}) {
    const auto url = parse_url(text);
    ASSERT_FALSE(url.ok()) << text;
    EXPECT_EQ(url.error().code, Code::invalid_argument);
    EXPECT_FALSE(url.error().hint.empty());
  }
}

TEST(Url, AnAnswerShowsNeitherUserinfoNorQueryNorFragment) {
  EXPECT_EQ(redact_url("https://u:p@h.test:1/p/q?token=1#access=2"), "https://h.test:1/p/q?…#…");
  EXPECT_EQ(redact_url("https://h.test/p@q"), "https://h.test/p@q");
  EXPECT_EQ(redact_url("https:u:p@h.test/"), "https:h.test/");
  EXPECT_EQ(redact_url("data:image/png;base64,AAAA"), "data:image/png;base64,…");
  EXPECT_EQ(redact_url("javascript:alert('x')"), "javascript:…");
  EXPECT_EQ(redact_url("about:blank"), "about:blank");
  EXPECT_EQ(redact_url("/relative?x=1"), "/relative?…");
  EXPECT_EQ(redact_url("no url at all"), "no url at all");
}

TEST(Url, AReplayKeepsTheKeysOfAQueryAndNoValue) {
  EXPECT_EQ(redact_url_values("https://u@h/p?a=1&b&c=x=y&=z#f"), "https://h/p?a=…&b&c=…&=…#…");
  EXPECT_EQ(redact_url_values("https://h/p?eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0"), "https://h/p?…");
  EXPECT_EQ(redact_url_values("https://h/p?"), "https://h/p?");
  EXPECT_EQ(redact_url_values("https://h/p#t"), "https://h/p#…");
}

TEST(OriginPolicy, AnEmptyPolicyAllowsEverything) {
  const auto policy = OriginPolicy::parse(" ", "");
  ASSERT_TRUE(policy.ok());
  EXPECT_FALSE(policy->restricts());
  EXPECT_TRUE(policy->allows("whatever"));
}

TEST(OriginPolicy, OnlyListedOriginsAreAllowedAndBlockedOnesWin) {
  const auto policy = OriginPolicy::parse("https://*.example.com, http://localhost:8080,file://",
                                          "https://admin.example.com");
  ASSERT_TRUE(policy.ok()) << policy.error().message();
  EXPECT_TRUE(policy->allows("https://app.example.com/x"));
  EXPECT_TRUE(policy->allows("https://a.b.example.com:444/x"));
  EXPECT_TRUE(policy->allows("http://localhost:8080/"));
  EXPECT_TRUE(policy->allows("about:blank"));
  EXPECT_TRUE(policy->allows("data:text/html,x"));
  EXPECT_TRUE(policy->allows("file:///x"));
  EXPECT_FALSE(policy->allows("https://example.com/"));
  EXPECT_FALSE(policy->allows("http://app.example.com/"));
  EXPECT_FALSE(policy->allows("http://localhost/"));
  EXPECT_FALSE(policy->allows("https://admin.example.com/"));
  EXPECT_FALSE(policy->allows("https://ADMIN.example.com./"));
  EXPECT_FALSE(policy->allows("https://app.example.com.evil.test/"));
  EXPECT_FALSE(policy->allows("https://app.example.com@evil.test/"));
  EXPECT_FALSE(policy->allows("view-source:https://admin.example.com/"));
  EXPECT_FALSE(policy->allows("not a url"));
}

TEST(OriginPolicy, ABlockedAddressIsBlockedInEverySpelling) {
  const auto policy = OriginPolicy::parse("", "http://127.0.0.1,https://evil.test:443");
  ASSERT_TRUE(policy.ok());
  for (const char* text : {"http://127.0.0.1:9/", "http://2130706433/", "http://127.1/", "https://evil.test/",
                           "https://evil.test:443/", "https://ｅvil.test/"})
    EXPECT_FALSE(policy->allows(text)) << text;
  EXPECT_TRUE(policy->allows("https://evil.test:444/"));
  EXPECT_TRUE(policy->allows("https://good.test/"));
}

TEST(OriginPolicy, AWrongEntryIsNamed) {
  for (const char* entry :
       {"example.com", "https://", "https://a/b", "https://a:0", "https://a:x", "https://ü.test", "://a"}) {
    const auto policy = OriginPolicy::parse("https://ok.test", entry);
    ASSERT_FALSE(policy.ok()) << entry;
    EXPECT_NE(policy.error().what.find(entry), std::string::npos) << policy.error().what;
  }
}

}  // namespace
}  // namespace browx
