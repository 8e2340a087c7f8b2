// libigl 2.6: tree of boxes built anew for every frame, as it has no refit, in double precision. "signed": sign by
// pseudonormals of the whole mesh; "update" asks nothing.
#include "common.h"
#include <igl/AABB.h>
#include <igl/per_face_normals.h>
#include <igl/per_vertex_normals.h>
#include <igl/per_edge_normals.h>
#include <igl/signed_distance.h>
template <class S> static Method make(Body& b, bool sign, bool update) {
  using M = Eigen::Matrix<S, Eigen::Dynamic, 3>;
  Eigen::MatrixXi F(b.T, 3);
  for (int t = 0; t < b.T; t++) for (int k = 0; k < 3; k++) F(t, k) = b.weld[b.tri[3*t+k]];
  auto tris = std::make_shared<Eigen::MatrixXi>(F);
  auto V = std::make_shared<M>(b.V, 3);
  return [=, &b](int f, const std::string& kind, int n, Answers& out) {
    const V3* p = b.frame(f);
    for (int v = 0; v < b.V; v++) { (*V)(v, 0) = p[v].x; (*V)(v, 1) = p[v].y; (*V)(v, 2) = p[v].z; }
    igl::AABB<M, 3> tree;
    tree.init(*V, *tris);
    M FN, VN, EN; Eigen::MatrixXi E; Eigen::VectorXi EMAP;
    if (sign) {
      igl::per_face_normals(*V, *tris, FN);
      igl::per_vertex_normals(*V, *tris, igl::PER_VERTEX_NORMALS_WEIGHTING_TYPE_ANGLE, FN, VN);
      igl::per_edge_normals(*V, *tris, igl::PER_EDGE_NORMALS_WEIGHTING_TYPE_UNIFORM, FN, EN, E, EMAP);
    }
    if (update) return;
    const float* q = b.pts(kind, f);
    for (int i = 0; i < n; i++) {
      Eigen::Matrix<S, 1, 3> x(q[3*i], q[3*i+1], q[3*i+2]), c, nn;
      int id; S s = 1, d2;
      if (sign) igl::signed_distance_pseudonormal(tree, *V, *tris, FN, VN, EN, EMAP, x, s, d2, id, c, nn);
      else d2 = tree.squared_distance(*V, *tris, x, id, c);
      S d = std::sqrt(d2);
      out.distances[i] = s * d; out.ids[i] = id;
      S k = s / (d > 0 ? d : 1);
      for (int a = 0; a < 3; a++) out.normals[3*i+a] = k * (x[a] - c[a]);
    }
  };
}
int main(int argc, char** argv) {
  return serve(argc, argv, [&](const std::string& m, Body& b) -> Method {
    bool sign = m.find("signed") != std::string::npos, update = m.find("update") != std::string::npos;
    return make<double>(b, sign, update);
  });
}
