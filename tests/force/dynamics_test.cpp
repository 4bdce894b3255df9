/// The force is the derivative of the action, and molecular dynamics is reversible and of second order.

#include "force/dynamics.h"

namespace
{

const reference::Coords shapes[] = {{2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}};

TEST(Force, IsTheDerivativeOfTheAction)
{
  test::Session session;
  for (const reference::Coords &shape : shapes)
    for (const auto &loop : {reference::plaquette_loop, reference::rectangle_loop, reference::chair_loop}) {
      const reference::Lattice lattice(shape);
      force_test::check_derivative(lattice, reference::Part(lattice), loop, [](double x) { return x; });
    }
}

TEST(MolecularDynamics, GoesBackAndIsOfSecondOrder)
{
  test::Session session;
  const reference::Lattice lattice({4, 4, 4, 10});
  force_test::check_dynamics(lattice, reference::Part(lattice), 1);
}

} // namespace
