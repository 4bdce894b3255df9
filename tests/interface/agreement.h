#pragma once
/// Members that each rank may choose, but all alike: changed on the last rank alone, each is refused by its name, on
/// all ranks.

#include "on_grids.h"

#include "core/environment_support.h"
#include "interface/params/param_table.h"

#include <functional>

namespace test
{

template <class Param> struct Member {
  const char *name;
  void (*change)(Param &);
};

class Agreement : public testing::Test
{
protected:
  void SetUp() override
  {
    if (ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
    const int grid[4] = {1, 1, 1, ranks()};
    session_.emplace(grid);
    param_ = gauge_param(local_.X);
    loadGaugeQuda(links_.pointer(), &param_);
  }

  /// call(param) with each member changed on the last rank, then with none.
  template <class Param, class Call>
  void expect(const char *function, const Param &good, const Call &call, const std::vector<Member<Param>> &members)
  {
    for (const Member<Param> &member : members) {
      Param param = good;
      if (rank() == ranks() - 1) member.change(param);
      call(param);
      EXPECT_EQ(handler_.calls(), 1) << function << " " << member.name;
      EXPECT_TRUE(handler_.says(function) && handler_.says(member.name) && handler_.says("differs between ranks"))
          << function << " " << member.name << ": " << handler_.text();
      handler_.forget();
    }
    Param param = good;
    call(param);
    EXPECT_EQ(handler_.calls(), 0) << function << ": " << handler_.text();
  }

  /// call(param) with each number of the structure changed on the last rank: refused on all ranks, or on none.
  template <class Param, class Call> void expect_together(const char *function, const Param &good, const Call &call)
  {
    for (const quda::params::Field &field : quda::params::table<Param>().fields) {
      if (!changeable(field)) continue;
      Param param = good;
      if (rank() == ranks() - 1) change(field, reinterpret_cast<char *>(&param) + field.offset);
      call(param);
      int least = handler_.calls(), most = least;
      MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
      MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      EXPECT_EQ(least, most) << function << " " << field.name << ": " << handler_.text();
      handler_.forget();
    }
    Param param = good;
    call(param);
    EXPECT_EQ(handler_.calls(), 0) << function << ": " << handler_.text();
  }

  /// Whether it can be changed, to the next enumerator or another number.
  static bool changeable(const quda::params::Field &field)
  {
    using quda::params::ValueType;
    if (field.type == ValueType::pointer || field.type == ValueType::text) return false;
    if (field.name == std::string("gauge_order"))
      return false; // what the arrays are is then not what they are taken for
    return true;
  }
  /// The next enumerator, after the last the first.
  static int another(const quda::params::EnumTable &table, int value)
  {
    const auto &all = table.enumerators;
    std::size_t i = 0;
    while (i < all.size() && all[i].value != value) i++;
    return all[(i + 1) % all.size()].value;
  }
  static void change(const quda::params::Field &field, char *element)
  {
    const auto set = [&](auto value) { std::memcpy(element, &value, sizeof value); };
    int whole = 0;
    double real = 0;
    std::memcpy(&whole, element, std::min(sizeof whole, field.element_size));
    std::memcpy(&real, element, std::min(sizeof real, field.element_size));
    switch (field.type) {
    case quda::params::ValueType::boolean:
      return set(!(whole & 1));
    case quda::params::ValueType::real:
    case quda::params::ValueType::complex:
      return set(std::abs(real) < 1e-300 ? 0.5 : 1.25 * real);
    default:
      if (field.enumeration) whole = another(*field.enumeration, whole);
      // an extent stays even
      return set(field.enumeration ? whole : whole < 0 ? 1 : whole < 2 ? 1 - whole : whole + 2);
    }
  }

  const Variable untuned_ {"QUDA_ENABLE_TUNING", "0"};
  const reference::Lattice local_ {{4, 4, 4, 4}};
  const reference::GaugeField unit_ {local_};
  HostLinks<double> links_ {unit_, reference::Part(local_), QUDA_QDP_GAUGE_ORDER};
  QudaGaugeParam param_ {};
  Handler handler_;
  std::optional<Session> session_;
};

} // namespace test
