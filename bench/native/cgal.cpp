// CGAL 5.5: all pairs of triangles of one mesh that meet, by exact predicates; its boxes are sorted anew in every frame.
#include "common.h"
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
namespace PMP = CGAL::Polygon_mesh_processing;
using K = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<K::Point_3>;

struct Surface {
  Body& b; Mesh mesh; std::vector<Mesh::Vertex_index> at;
  Surface(Body& body) : b(body), at(body.V) {
    for (int v = 0; v < b.V; v++) at[v] = mesh.add_vertex(K::Point_3(b.rest[3*v], b.rest[3*v+1], b.rest[3*v+2]));
    for (int t = 0; t < b.T; t++) mesh.add_face(at[b.tri[3*t]], at[b.tri[3*t+1]], at[b.tri[3*t+2]]);
    if ((int)mesh.number_of_faces() != b.T) throw std::runtime_error("CGAL takes only manifold surfaces");
  }
  void follow(int f) { const V3* p = b.frame(f); for (int v = 0; v < b.V; v++) mesh.point(at[v]) = K::Point_3(p[v].x, p[v].y, p[v].z); }
};

int main(int argc, char** argv) {
  return serve(argc, argv, [&](const std::string&, Body& b) -> Method {
    auto s = std::make_shared<Surface>(b);
    return [s, &b](int f, const std::string&, int, Answers& out) {
      s->follow(f);
      std::vector<std::pair<Mesh::Face_index, Mesh::Face_index>> pairs;
      PMP::self_intersections<CGAL::Sequential_tag>(s->mesh, std::back_inserter(pairs));
      out.pairs.clear();
      for (auto& [x, y] : pairs) {
        bool shared = false;
        for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) shared |= b.tri[3*(int)x+i] == b.tri[3*(int)y+j];
        if (!shared) out.pairs.push_back({(uint32_t)x, (uint32_t)y});
      }
    };
  });
}
