#include "io/selection/changing_selection.hh"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::io {
namespace {

using Particles = ChangingSelection::Particles;

/// The particles of `from` for which test(particle) is true.
template <class Test>
Particles kept(const Particles& from, Test test) {
  Particles particles;
  std::copy_if(from.begin(), from.end(), std::back_inserter(particles), test);
  return particles;
}

Particles without(const Particles& from, const Particles& removed) {
  Particles rest;
  std::set_difference(from.begin(), from.end(), removed.begin(), removed.end(),
                      std::back_inserter(rest));
  return rest;
}

Particles united(const Particles& a, const Particles& b) {
  Particles both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::size_t axis_of(Selection::Quantity quantity) {
  switch (quantity) {
    case Selection::Quantity::x:
      return 0;
    case Selection::Quantity::y:
      return 1;
    case Selection::Quantity::z:
      return 2;
    default:
      throw InternalError("a property that is the same in all frames was compared");
  }
}

/// Throws InputError if "within `distance` of" any particle is true of the whole box,
/// which nearly always indicates a wrong length unit.
void check_reach(double distance, const Box& box) {
  const double farthest = box.covering_radius();
  if (distance >= farthest) {
    throw InputError("'within " + number_text(distance) +
                     " of' selects all particles (no two points of the box are farther "
                     "apart than " +
                     rounded_text(farthest) +
                     "): give a shorter distance, in the file's length unit");
  }
}

}  // namespace

ChangingSelection::ChangingSelection(const Selection& selection,
                                     const ParticleTable& table)
    : all_(table.count) {
  std::iota(all_.begin(), all_.end(), 0U);
  root_ = make_node(selection, table);
  candidates_ = candidates_of(root_);
}

ChangingSelection::Node ChangingSelection::make_node(const Selection& selection,
                                                     const ParticleTable& table) const {
  Node node;
  if (!changes(selection)) {
    node.selected = io::select(selection, table);
    node.particles = kept(
        all_, [&](std::uint32_t particle) { return node.selected[particle] != 0; });
    return node;
  }
  node.kind = selection.kind;
  node.quantity = selection.quantity;
  node.comparison = selection.comparison;
  node.number = selection.number;
  for (const Selection& part : selection.parts) {
    node.parts.push_back(make_node(part, table));
  }
  if (node.kind == Selection::Kind::every) {
    std::stable_partition(node.parts.begin(), node.parts.end(), [](const Node& part) {
      return part.kind == Selection::Kind::listed;
    });
  }
  if (node.kind == Selection::Kind::same) {
    node.compound = numbers_of(selection.same_by, table);
  }
  const bool by_distance =
      node.kind == Selection::Kind::within || node.kind == Selection::Kind::beyond;
  if (by_distance && candidates_of(node.parts.front()).empty()) {
    throw InputError(
        "the selection after '" +
        std::string(node.kind == Selection::Kind::within ? "within " : "beyond ") +
        number_text(node.number) +
        " of' contains no particle in any frame (correct it: starhist "
        "info lists the properties of the particles)");
  }
  return node;
}

Particles ChangingSelection::candidates_of(const Node& node) const {
  switch (node.kind) {
    case Selection::Kind::listed:
      return node.particles;
    case Selection::Kind::every: {
      Particles particles = all_;
      for (const Node& part : node.parts) {
        const Particles more = candidates_of(part);
        Particles both;
        std::set_intersection(particles.begin(), particles.end(), more.begin(),
                              more.end(), std::back_inserter(both));
        particles = std::move(both);
      }
      return particles;
    }
    case Selection::Kind::any: {
      Particles particles;
      for (const Node& part : node.parts) {
        particles = united(particles, candidates_of(part));
      }
      return particles;
    }
    default:
      return all_;
  }
}

Particles ChangingSelection::select(const Box& box,
                                    const std::vector<double>& positions) {
  return filter(root_, {box, positions}, all_);
}

Particles ChangingSelection::filter(Node& node, const View& view,
                                    const Particles& from) const {
  switch (node.kind) {
    case Selection::Kind::listed:
      return &from == &all_ ? node.particles : kept(from, [&](std::uint32_t particle) {
        return node.selected[particle] != 0;
      });
    case Selection::Kind::every: {
      Particles particles = filter(node.parts.front(), view, from);
      for (std::size_t k = 1; k < node.parts.size(); ++k) {
        particles = filter(node.parts[k], view, particles);
      }
      return particles;
    }
    case Selection::Kind::any: {
      Particles particles = filter(node.parts.front(), view, from);
      for (std::size_t k = 1; k < node.parts.size(); ++k) {
        particles =
            united(particles, filter(node.parts[k], view, without(from, particles)));
      }
      return particles;
    }
    case Selection::Kind::opposite:
      return without(from, filter(node.parts.front(), view, from));
    case Selection::Kind::compare: {
      const double* const first = view.positions.data() + axis_of(node.quantity);
      return kept(from, [&](std::uint32_t particle) {
        return compares(first[3 * std::size_t{particle}], node.comparison, node.number);
      });
    }
    case Selection::Kind::within:
    case Selection::Kind::beyond:
      return filter_near(node, view, from);
    case Selection::Kind::same:
      return filter_same(node, view, from);
    default:
      throw InternalError("a selection of an unknown kind was evaluated");
  }
}

Particles ChangingSelection::filter_near(Node& node, const View& view,
                                         const Particles& from) const {
  const Particles points = filter(node.parts.front(), view, all_);
  if (node.kind == Selection::Kind::within) {
    check_reach(node.number, view.box);
  }
  node.cells.sort(view.box, node.number, view.positions, points);
  const bool wanted = node.kind == Selection::Kind::within;
  return kept(from, [&](std::uint32_t particle) {
    const double* const p = &view.positions[3 * std::size_t{particle}];
    return node.cells.any_within({p[0], p[1], p[2]}) == wanted;
  });
}

Particles ChangingSelection::filter_same(Node& node, const View& view,
                                         const Particles& from) const {
  node.wanted.assign(all_.size(), 0);
  for (const std::uint32_t particle : filter(node.parts.front(), view, all_)) {
    node.wanted[node.compound[particle]] = 1;
  }
  return kept(from, [&](std::uint32_t particle) {
    return node.wanted[node.compound[particle]] != 0;
  });
}

}  // namespace starhist::io
