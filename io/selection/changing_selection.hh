#pragma once

#include <cstdint>
#include <vector>

#include "codelets/core/molecules/neighbour_cells.hh"
#include "io/selection/selection.hh"

namespace starhist::io {

/// Evaluates a selection in each frame. Parts that do not depend on positions are
/// evaluated once. Not thread-safe, because memory is reused.
class ChangingSelection {
 public:
  using Particles = std::vector<std::uint32_t>;  ///< table indices, ascending

  /// Throws InputError like select(), and if "within" or "beyond" refers to particles
  /// of which there are never any.
  ChangingSelection(const Selection& selection, const ParticleTable& table);

  /// The particles selected in a frame. `positions`: x, y, z of the table's particles
  /// [file's length unit].
  Particles select(const Box& box, const std::vector<double>& positions);

  /// The particles that can be selected in some frame, by the parts that do not change.
  const Particles& candidates() const { return candidates_; }

 private:
  /// A part of the selection. `listed`: the same particles in all frames.
  struct Node {
    Selection::Kind kind = Selection::Kind::listed;
    Particles particles;         ///< for `listed`
    std::vector<char> selected;  ///< for `listed`: select()
    Selection::Quantity quantity = Selection::Quantity::x;
    Selection::Comparison comparison = Selection::Comparison::less;
    double number = 0.0;
    std::vector<std::uint32_t> compound;  ///< for `same`: number of each particle's
    std::vector<Node> parts;              ///< of `every`: `listed` first
    NeighbourCells cells;                 ///< for `within` and `beyond`
    std::vector<char> wanted;             ///< for `same`: per compound
  };
  /// A frame's box and positions.
  struct View {
    const Box& box;
    const std::vector<double>& positions;
  };

  Node make_node(const Selection& selection, const ParticleTable& table) const;
  Particles candidates_of(const Node& node) const;
  /// The particles among `from` that the node selects.
  Particles filter(Node& node, const View& view, const Particles& from) const;
  Particles filter_near(Node& node, const View& view, const Particles& from) const;
  Particles filter_same(Node& node, const View& view, const Particles& from) const;

  Particles all_;
  Node root_;
  Particles candidates_;
};

}  // namespace starhist::io
