#include "capture/rings.hpp"

#include <gtest/gtest.h>

namespace browx::capture {
namespace {

TEST(Rings, ARequestIsFollowedFromItsBeginningToItsEnd) {
  Journal journal;
  Rings rings(journal);
  archive::Request request;
  request.id = RequestId(1);
  request.t = Time{1000};
  request.method = "POST";
  request.url = "http://a/";
  request.resource_type = "Fetch";
  request.target = TargetId(4);
  journal.publish(request);
  EXPECT_EQ(rings.pending_requests(), 1);
  archive::Response response;
  response.request = RequestId(1);
  response.status = 201;
  response.mime = "application/json";
  journal.publish(response);
  archive::RequestEnd end;
  end.request = RequestId(1);
  end.t = Time{3500};
  end.encoded_bytes = 12;
  journal.publish(end);
  ASSERT_EQ(rings.requests().size(), 1u);
  const auto& record = rings.requests()[0];
  EXPECT_EQ(record.status, 201);
  EXPECT_EQ(record.target, TargetId(4));
  EXPECT_TRUE(record.finished);
  EXPECT_FALSE(record.failed);
  EXPECT_DOUBLE_EQ(record.ms, 2.5);
  EXPECT_EQ(record.bytes, 12);
  EXPECT_EQ(rings.pending_requests(), 0);
  EXPECT_EQ(rings.requests_since(Time{1001}).size(), 0u);
  EXPECT_EQ(rings.requests_since(Time{1000}).size(), 1u);
}

TEST(Rings, TheyKeepTheLastFiveHundredAndEndsOfForgottenOnesHarmNobody) {
  Journal journal;
  Rings rings(journal);
  for (int i = 1; i <= 700; ++i) {
    archive::Request request;
    request.id = RequestId(i);
    journal.publish(request);
  }
  archive::RequestEnd end;
  end.request = RequestId(3);
  journal.publish(end);
  EXPECT_EQ(rings.requests().size(), Rings::kSize);
  EXPECT_EQ(rings.requests().front().id, RequestId(201));
  EXPECT_EQ(rings.pending_requests(), 699);
}

TEST(Rings, ALineOfAFrameOrWorkerBelongsToItsTab) {
  Journal journal;
  Rings rings(journal);
  rings.tab_opened(TargetId(1), 12);
  archive::Target tab, worker;
  tab.id = TargetId(1);
  tab.kind = "tab";
  worker.id = TargetId(2);
  worker.parent = TargetId(1);
  journal.publish(tab);
  journal.publish(worker);
  archive::Event line;
  line.kind = "console";
  line.target = TargetId(2);
  line.payload = {{"level", "warning"}, {"text", "careful"}};
  journal.publish(line);
  line.kind = "exception";
  journal.publish(line);
  line.kind = "lifecycle";
  journal.publish(line);
  ASSERT_EQ(rings.console().size(), 2u);
  EXPECT_EQ(rings.console()[0].tab, 12);
  EXPECT_EQ(rings.console()[0].level, "warning");
  EXPECT_TRUE(rings.console()[1].exception);
  EXPECT_EQ(rings.console()[1].level, "error");
}

}  // namespace
}  // namespace browx::capture
