#include "driver/run/frames/frame_selection.hh"

#include <algorithm>
#include <cmath>
#include <random>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using driver::FrameSelection;
using driver::part_of;
using driver::select_by_time;
using driver::TimeSelection;
using testing::error_text;
using testing::missing;
using Indices = std::vector<std::uint64_t>;

TEST_CASE("parts of a selection contain its frames, cut at block boundaries") {
  for (const std::uint64_t count : {1, 2, 7, 20, 100}) {
    for (const std::uint64_t step : {1, 3}) {
      for (const std::uint32_t block : {1, 4, 100}) {
        FrameSelection all;
        all.first = 2;
        all.step = step;
        const std::uint64_t frame_count = 2 + count * step;
        const std::uint64_t blocks = (count - 1) / block + 1;
        for (std::uint64_t parts = 1; parts <= blocks && parts < 9; ++parts) {
          Indices joined;
          for (std::uint64_t k = 1; k <= parts; ++k) {
            const FrameSelection part = part_of(all, {k, parts}, frame_count, block);
            const std::uint64_t size = part.count(frame_count);
            CHECK(joined.size() % block == 0);
            CHECK((size + block - 1) / block - blocks / parts <= 1);
            for (std::uint64_t n = 0; n < size; ++n) {
              joined.push_back(part.index(n));
            }
          }
          REQUIRE(joined.size() == count);
          for (std::uint64_t n = 0; n < count; ++n) {
            CHECK(joined[n] == all.index(n));
          }
        }
        CHECK_THROWS_AS(part_of(all, {1, blocks + 1}, frame_count, block), InputError);
      }
    }
  }
}

/// Frames with these times; NaN: a frame that cannot be read.
class TimedReader : public io::TrajectoryReader {
 public:
  explicit TimedReader(std::vector<double> times) : times_(std::move(times)) {
    info_.paths = {"timed.xtc"};
    info_.time_unit = "ps";
    info_.frame_count = times_.size();
  }
  const io::TrajectoryInfo& info() const override { return info_; }
  void read(FrameIndex index, Frame& frame) override {
    frame.time = times_[index.index()];
    if (std::isnan(frame.time)) {
      throw InputError("frame " + std::to_string(index.get()) + " is bad");
    }
  }

 private:
  std::vector<double> times_;
  io::TrajectoryInfo info_;
};

Indices chosen(const std::vector<double>& times, const TimeSelection& selection,
               const FrameSelection& frames = {}) {
  TimedReader reader(times);
  const FrameSelection selected = select_by_time(frames, selection, reader);
  Indices indices;
  for (std::uint64_t k = 0; k < selected.count(times.size()); ++k) {
    indices.push_back(selected.index(k));
    CHECK(selected.number_of(indices.back()) == k);
  }
  CHECK(selected.index(indices.size()) > indices.back());
  return indices;
}

std::string refusal(const std::vector<double>& times, const TimeSelection& selection,
                    const FrameSelection& frames = {}) {
  TimedReader reader(times);
  return error_text<InputError>([&] { select_by_time(frames, selection, reader); });
}

const std::vector<double> tens{0, 10, 20, 30, 40, 50, 60};

TEST_CASE("frames from a time to a time, both inclusive") {
  CHECK(chosen(tens, {20, 40, {}}) == Indices{2, 3, 4});
  CHECK(chosen(tens, {19.9, 40.1, {}}) == Indices{2, 3, 4});
  CHECK(chosen(tens, {20.1, 39.9, {}}) == Indices{3});
  CHECK(chosen(tens, {{}, 10, {}}) == Indices{0, 1});
  CHECK(chosen(tens, {50, {}, {}}) == Indices{5, 6});
  CHECK(chosen(tens, {-5, 0, {}}) == Indices{0});
}

TEST_CASE("multiples of --every count from the first selected frame") {
  CHECK(chosen(tens, {{}, {}, 20}) == Indices{0, 2, 4, 6});
  CHECK(chosen(tens, {5, {}, 20}) == Indices{1, 3, 5});
  CHECK(chosen(tens, {{}, {}, 10}) == Indices{0, 1, 2, 3, 4, 5, 6});
  CHECK(chosen(tens, {10, 30, 1000}) == Indices{1});
  CHECK(chosen({5, 6, 8, 9, 11}, {{}, {}, 3}) == Indices{0, 2, 4});
}

TEST_CASE("times rounded to single precision select like exact ones") {
  std::vector<double> times;
  std::vector<double> far;
  for (int k = 0; k < 1001; ++k) {
    times.push_back(static_cast<float>(0.1 * k));
    far.push_back(static_cast<float>(1e5 + 0.1 * k));
  }
  CHECK(chosen(times, {0.3, 0.7, {}}) == Indices{3, 4, 5, 6, 7});
  const Indices by_ten = chosen(times, {{}, {}, 1.0});
  const Indices far_by_ten = chosen(far, {{}, {}, 1.0});
  CHECK(by_ten.size() == 101);
  CHECK(far_by_ten == by_ten);
  CHECK(by_ten[70] == 700);
}

TEST_CASE("equal times up to rounding, as where files join, are not an interval") {
  std::vector<double> times;
  for (double time = 0.0; time < 99.99; time += 0.1) {
    times.push_back(time);
  }
  times.push_back(99.9999999999986);
  const std::size_t join = times.size();
  for (int k = 0; k <= 100; ++k) {
    times.push_back(100 + 0.1 * k);
  }
  const Indices by_one = chosen(times, {{}, {}, 1});
  CHECK(by_one.size() == 112);  // both frames at 100
  CHECK(std::count(by_one.begin(), by_one.end(), join) == 1);
  CHECK(chosen(times, {{}, {}, 10}).size() == 13);
  CHECK(chosen(times, {100, 101, {}}).size() == 12);
  CHECK(missing(refusal(times, {{}, {}, 0.15}), {"--every 0.15", "are 0.1 ps apart"}) ==
        "");

  std::vector<double> singles;  // files of two frames, one rounding apart
  for (int k = 0; k < 20; ++k) {
    const float time = 1000.0F + static_cast<float>(k);
    singles.push_back(time);
    singles.push_back(std::nextafter(time + 1.0F, 0.0F));
  }
  CHECK(chosen(singles, {{}, {}, 2}).size() == 20);
}

TEST_CASE("short intervals among long ones are recognized") {
  std::vector<double> times;
  for (int k = 0; k < 100; ++k) {
    times.insert(times.end(), {1.0 * k, k + 0.001, k + 0.002});
    for (int tenth = 1; tenth < 10; ++tenth) {
      times.push_back(k + 0.1 * tenth);
    }
  }
  CHECK(chosen(times, {{}, {}, 1}).size() == 100);
  CHECK(chosen(times, {5, 5.001, {}}).size() == 2);
}

/// `thousandths` / 1000 units of 10^-decimals, as written in a file or an option.
double decimal(std::int64_t thousandths, int decimals) {
  const std::string digits = std::to_string(thousandths);
  return std::stod(digits + "e-" + std::to_string(decimals + 3));
}

TEST_CASE("times select like exact decimals, whatever their size and interval") {
  std::mt19937 random(2026);
  const auto below = [&](std::int64_t bound) {
    return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(random);
  };
  for (int trial = 0; trial < 3000; ++trial) {
    const int decimals = static_cast<int>(below(7));
    const auto unit = static_cast<std::int64_t>(1000);
    std::int64_t most = unit;  // times up to 1e9
    for (std::int64_t power = below(decimals + 10); power > 0; --power) {
      most *= 10;
    }
    const std::int64_t first = below(most) / unit * unit;
    const std::int64_t interval = (1 + below(5)) * unit;
    const bool on_frames = trial % 2 == 0;
    // Doubles must resolve a hundredth of the interval between frames.
    const double resolved = decimal(first + 200 * interval, decimals) * 0x1p-50;
    if (!on_frames && resolved > decimal(interval, decimals) / 100) {
      continue;
    }
    std::vector<std::int64_t> exact;
    std::vector<double> times;
    for (std::int64_t k = 0; k < 200; ++k) {
      if (below(20) > 0) {  // some are missing
        exact.push_back(first + k * interval);
        times.push_back(decimal(exact.back(), decimals));
      }
    }
    const std::int64_t fraction = on_frames ? interval : interval / 20;
    const std::int64_t begin = first + below(100 * interval / fraction) * fraction;
    const std::int64_t end = begin + below(100 * interval / fraction) * fraction;
    const std::int64_t every = (1 + below(20 * interval / fraction)) * fraction;
    CAPTURE(decimals, first, interval, begin, end, every, exact.front());
    Indices within;
    Indices due;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      if (exact[k] >= begin && exact[k] <= end) {
        within.push_back(k);
        if ((exact[k] - exact[within.front()]) % every == 0) {
          due.push_back(k);
        }
      }
    }
    TimeSelection selection{decimal(begin, decimals), decimal(end, decimals), {}};
    if (within.empty()) {
      CHECK(missing(refusal(times, selection), {"no frames are selected"}) == "");
      continue;
    }
    CHECK(chosen(times, selection) == within);
    selection.every = decimal(every, decimals);
    TimedReader reader(times);
    try {
      const FrameSelection selected = select_by_time({}, selection, reader);
      CHECK(*selected.among == due);
    } catch (const InputError& error) {
      const std::string text = error.what();
      CHECK((missing(text, {"no two frames are exactly that far apart"}) == "" ||
             missing(text, {"frames exist at only"}) == ""));
    }
  }
}

TEST_CASE("close frames at large times are distinguished") {
  std::vector<double> times;
  for (int k = 0; k < 200; ++k) {
    times.push_back(10000 + 0.001 * k);  // with the rounding of a product
  }
  CHECK(chosen(times, {10000.1, 10000.15, {}}).size() == 51);
  CHECK(chosen(times, {{}, {}, 0.002}).size() == 100);
}

TEST_CASE("an --every between frame times is refused") {
  CHECK(missing(refusal(tens, {{}, {}, 15}),
                {"--every 15: no two frames are exactly that far apart",
                 "10 ps apart"}) == "");
  CHECK(missing(refusal({0, 0.1, 0.2, 0.30000000000000004}, {{}, {}, 0.15}),
                {"--every 0.15", "are 0.1 ps apart"}) == "");
  CHECK(missing(refusal({0, 1, 2}, {{}, {}, 0.3}), {"--every 0.3", "1 ps"}) == "");
  // Nothing is left out, or some frames are as far apart.
  CHECK(chosen(tens, {{}, {}, 5}) == Indices{0, 1, 2, 3, 4, 5, 6});
  CHECK(chosen({0, 1, 2, 4, 8, 9}, {{}, {}, 2}) == Indices{0, 2, 3, 4});
}

TEST_CASE("an --every of which most multiples have no frame is refused") {
  std::vector<double> times;
  for (int k = 0; k < 10; ++k) {
    times.push_back(10 * k);
  }
  for (int k = 0; k < 100; ++k) {
    times.push_back(95 + 10 * k);
  }
  CHECK(missing(refusal(times, {{}, {}, 10}),
                {"--every 10", "at only 10 of the 110 multiples", "--step",
                 "--begin and --end"}) == "");
  CHECK(chosen(times, {{}, 90, 10}).size() == 10);
  CHECK(chosen(times, {95, {}, 10}).size() == 100);
  // Gaps have no frames to select.
  CHECK(chosen({0, 1, 2, 100, 101, 102, 1000}, {{}, {}, 1}).size() == 7);
}

TEST_CASE("regular frames at thirds: an inexact --every is refused, not shortened") {
  std::vector<double> decimals;
  std::vector<double> singles;  // as in XTC, at a large time
  for (int k = 0; k < 280; ++k) {
    decimals.push_back(std::round(1e9 + 1e6 * k / 3.0) * 1e-6);
    singles.push_back(static_cast<float>(1e5 + k / 3.0));
  }
  CHECK(missing(refusal(decimals, {{}, {}, 0.66667}),
                {"--every 0.66667", "of the 140 multiples", "more digits", "--step"}) ==
        "");
  CHECK(chosen(decimals, {{}, {}, 0.666666667}).size() == 140);
  CHECK(missing(refusal(singles, {100007.3333, {}, 1.666666667}),
                {"multiples near frames", "--step"}) == "");
}

TEST_CASE("numbers and times of frames combined") {
  CHECK(chosen(tens, {{}, 50, {}}, {3, {}, 1}) == Indices{3, 4, 5});
  CHECK(chosen(tens, {20, {}, {}}, {0, 5, 1}) == Indices{2, 3, 4, 5});
  CHECK(chosen(tens, {10, {}, {}}, {0, {}, 2}) == Indices{1, 3, 5});
  CHECK(chosen(tens, {{}, {}, 20}, {1, {}, 1}) == Indices{1, 3, 5});
}

TEST_CASE("times that decrease, as in consecutive runs, are all examined") {
  CHECK(chosen({0, 1, 2, 0, 1, 2}, {1, 1, {}}) == Indices{1, 4});
}

TEST_CASE("without times there is no selection by time") {
  CHECK(missing(refusal({0, 0, 0}, {1, {}, {}}),
                {"timed.xtc", "has no times", "--begin 1",
                 "--first, --last and --step"}) == "");
  CHECK(missing(refusal({0, 0}, {{}, {}, 2}), {"has no times", "--every 2"}) == "");
  CHECK(missing(refusal(tens, {70, 80, {}}),
                {"no frames are selected", "--begin 70, --end 80", "0 to 60 ps"}) ==
        "");
  CHECK(missing(refusal(tens, {{}, 5, {}}, {2, {}, 1}), {"--end 5", "20 to 60"}) == "");
  CHECK(missing(refusal(tens, {10, {}, {}}, {7, {}, 1}), {"--first 7"}) == "");
}

TEST_CASE("a frame whose time cannot be read is selected if the previous one is") {
  const double bad = std::nan("");
  CHECK(chosen({0, bad, 20, 30, bad, 50}, {20, 40, {}}) == Indices{2, 3, 4});
  CHECK(chosen({bad, 10, 20}, {{}, 10, {}}) == Indices{0, 1});
  CHECK(chosen({bad, 10, 20}, {5, {}, {}}) == Indices{1, 2});
  CHECK(missing(refusal({bad, bad}, {5, {}, {}}), {"frame 0 is bad"}) == "");
}

TEST_CASE("frames after the end are not among those missing in a truncated file") {
  const auto last = [](const TimeSelection& times) {
    TimedReader reader(tens);
    return select_by_time({}, times, reader).last;
  };
  CHECK(last({{}, 50, {}}).has_value());
  CHECK_FALSE(last({{}, 60, {}}).has_value());
  CHECK_FALSE(last({{}, {}, 40}).has_value());
}

TEST_CASE("the distance of selected frames") {
  const auto stride = [](const std::vector<double>& times, const TimeSelection& by) {
    TimedReader reader(times);
    return driver::stride(select_by_time({}, by, reader));
  };
  CHECK(stride(tens, {{}, {}, 20}) == 2);
  CHECK(stride(tens, {10, {}, {}}) == 1);
  CHECK(stride(tens, {60, {}, {}}) == 1);
  CHECK(stride({5, 6, 8, 9, 11}, {{}, {}, 3}) == 2);
  CHECK_FALSE(stride({0, 1, 3, 6}, {{}, {}, 3}).has_value());
  CHECK(driver::stride({0, {}, 7}) == 7);
}

TEST_CASE("a frame that is not selected has no number") {
  TimedReader reader(tens);
  const FrameSelection selected = select_by_time({}, {{}, {}, 20}, reader);
  for (const std::uint64_t index : {1U, 5U, 7U}) {
    CHECK(missing(error_text<InputError>([&] { selected.number_of(index); }),
                  {"is not selected"}) == "");
  }
  CHECK(missing(error_text<InputError>([] {
                  FrameSelection{3, {}, 2}.number_of(4);
                }),
                {"frame 4 is not selected"}) == "");
  CHECK(FrameSelection{3, {}, 2}.number_of(7) == 2);
}

}  // namespace
}  // namespace starhist
