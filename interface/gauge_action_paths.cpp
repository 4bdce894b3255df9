#include "interface/gauge_action_paths.h"

#include "interface/params/param_table.h"

namespace quda
{

void GaugeActionPaths::check(Checks &checks, int loop_types, const char *name, const double *coefficients)
{
  const char *function = checks.function;
  check_range(function, "num_loop_types", loop_types, 1, 3);
  checks.same("num_loop_types", loop_types);
  check_not_null(function, name, coefficients);
  for (int i = 0; i < loop_types; i++) check_number(function, text("%s[%d]", name, i).c_str(), coefficients[i]);
}

GaugeActionPaths::GaugeActionPaths(int loop_types, const double *coefficients)
{
  const auto back = [](int step) { return 7 - step; };
  for (int mu = 0; mu < 4; mu++) {
    const int m = mu, b = back(mu);
    std::vector<Path> &paths = paths_[mu];
    const auto each_side = [&](auto &&add) {
      for (int nu = 0; nu < 4; nu++)
        if (nu != mu)
          for (const int n : {nu, back(nu)}) add(n);
    };
    const auto end_of_type = [&](int type, int length) {
      lengths_.resize(paths.size(), length);
      weights_.resize(paths.size(), coefficients[type]);
    };
    each_side([&](int n) { paths.push_back({n, b, back(n), 0, 0}); });
    end_of_type(0, 3);
    if (loop_types >= 2) {
      each_side([&](int n) {
        paths.push_back({n, n, b, back(n), back(n)});
        paths.push_back({m, n, b, b, back(n)});
        paths.push_back({n, b, b, back(n), m});
      });
      end_of_type(1, 5);
    }
    if (loop_types >= 3) {
      each_side([&](int n) {
        each_side([&](int k) {
          if (k != n && k != back(n)) paths.push_back({n, k, b, back(n), back(k)});
        });
      });
      end_of_type(2, 5);
    }
    for (Path &path : paths) first_steps_[mu].push_back(path.data());
    lists_.push_back(first_steps_[mu].data());
  }
}

} // namespace quda
