// FCL 0.7: all pairs of triangles of one mesh that meet, after a refit. "filtered": its own recursion and triangle test,
// pairs that share a corner left out first; "public": its public API, which finds those too; "update": the refit alone.
#include "common.h"
#include <fcl/fcl.h>
using namespace fcl;
using Model = BVHModel<AABB<double>>;

struct Self {
  Body& b; std::shared_ptr<Model> model; std::vector<Vector3<double>> vertices;
  Self(Body& body) : b(body), vertices(body.V) {
    model = std::make_shared<Model>();
    std::vector<Triangle> tris(b.T);
    for (int t = 0; t < b.T; t++) tris[t] = Triangle(b.tri[3*t], b.tri[3*t+1], b.tri[3*t+2]);
    for (int v = 0; v < b.V; v++) vertices[v] = Vector3<double>(b.rest[3*v], b.rest[3*v+1], b.rest[3*v+2]);
    model->beginModel(b.T, b.V); model->addSubModel(vertices, tris); model->endModel();
  }
  void follow(int f) {
    const V3* p = b.frame(f);
    for (int v = 0; v < b.V; v++) vertices[v] = Vector3<double>(p[v].x, p[v].y, p[v].z);
    model->beginReplaceModel(); model->replaceSubModel(vertices); model->endReplaceModel(true, true);
  }
};

struct Filtered : detail::MeshCollisionTraversalNode<AABB<double>> {
  Pairs* pairs;
  void leafTesting(int b1, int b2) const override {
    const auto& n1 = this->model1->getBV(b1); const auto& n2 = this->model2->getBV(b2);
    int s = n1.primitiveId(), t = n2.primitiveId();
    if (s == t) return;
    const Triangle &i = this->tri_indices1[s], &j = this->tri_indices2[t];
    for (int x = 0; x < 3; x++) for (int y = 0; y < 3; y++) if (i[x] == j[y]) return;
    if (detail::Intersect<double>::intersect_Triangle(this->vertices1[i[0]], this->vertices1[i[1]], this->vertices1[i[2]], this->vertices2[j[0]], this->vertices2[j[1]], this->vertices2[j[2]]))
      pairs->push_back({s, t});
  }
};

int main(int argc, char** argv) {
  return serve(argc, argv, [&](const std::string& method, Body& b) -> Method {
    auto s = std::make_shared<Self>(b);
    if (method == "update") return [s](int f, const std::string&, int, Answers&) { s->follow(f); };
    if (method == "filtered") return [s](int f, const std::string&, int, Answers& out) {
      s->follow(f);
      out.pairs.clear();
      Filtered node; node.pairs = &out.pairs;
      CollisionRequest<double> request(1u << 30, false); CollisionResult<double> result;
      node.model1 = node.model2 = s->model.get();
      node.vertices1 = node.vertices2 = s->model->vertices; node.tri_indices1 = node.tri_indices2 = s->model->tri_indices;
      node.request = request; node.result = &result;
      detail::selfCollide(&node, (detail::BVHFrontList*)nullptr);
    };
    return [s, &b](int f, const std::string&, int, Answers& out) {
      s->follow(f);
      CollisionRequest<double> request(1u << 30, true); CollisionResult<double> result;
      Transform3<double> identity = Transform3<double>::Identity();
      collide<double>(s->model.get(), identity, s->model.get(), identity, request, result);
      out.pairs.clear();
      for (size_t k = 0; k < result.numContacts(); k++) {
        const auto& c = result.getContact(k);
        if (c.b1 >= c.b2) continue;
        bool shared = false;
        for (int x = 0; x < 3; x++) for (int y = 0; y < 3; y++) shared |= b.tri[3*c.b1+x] == b.tri[3*c.b2+y];
        if (!shared) out.pairs.push_back({(uint32_t)c.b1, (uint32_t)c.b2});
      }
    };
  });
}
