// Embree 3.13 on one thread: refit and rtcPointQuery, rtcCollide for self-collision. A method is words joined in one name:
// "refit" or "rebuild"; "compact" nodes; sign by the pseudonormal of the feature hit ("lazy"), of the whole mesh beforehand
// ("signed") or none; "trunc" ends the search at the body's truncation; "skin+" moves a character's vertices by linear
// blend skinning from its bones first; "update" asks nothing; "collide" alone finds all pairs of triangles that meet.
#include "common.h"
#include "tritri.h"
#include <embree3/rtcore.h>
#include <immintrin.h>

static RTCDevice device;

struct Hit { const Body* b; const V3* p; V3 q, c; float d2; int t, feature; };

// the library calls back for every triangle in reach
static bool closest(RTCPointQueryFunctionArguments* a) {
  Hit& h = *(Hit*)a->userPtr;
  const uint32_t* i = &h.b->tri[3 * a->primID];
  int feature;
  V3 c = closestOnTriangle(h.q, h.p[i[0]], h.p[i[1]], h.p[i[2]], feature);
  V3 d = h.q - c;
  float d2 = dot(d, d);
  if (d2 >= h.d2) return false;
  h.d2 = d2; h.c = c; h.t = a->primID; h.feature = feature;
  a->query->radius = std::sqrt(d2);
  return true;
}

struct Tree {
  Body& b; RTCScene scene; RTCGeometry geometry; V3* vertices; Pseudonormals normals;
  Tree(Body& body, RTCBuildQuality quality, unsigned flags) : b(body) {
    scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, (RTCSceneFlags)flags);
    // only scenes of low quality are of two levels and can refit: 17 us at 3,040 triangles, and 840 us otherwise
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
    geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryBuildQuality(geometry, quality);
    vertices = (V3*)rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, b.V);
    memcpy(vertices, b.rest.data(), 12 * b.V);
    void* index = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, b.T);
    memcpy(index, b.tri.data(), 12 * b.T);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcCommitScene(scene);
  }
  void follow(const V3* positions) {
    memcpy(vertices, positions, 12 * b.V);
    rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(geometry);
    rtcCommitScene(scene);
  }
  // sign: 0 none, 1 pseudonormals of the whole mesh beforehand, 2 of the feature alone
  void ask(const float* points, int n, Answers& out, int sign, float radius) {
    for (int i = 0; i < n; i++) {
      V3 q{points[3*i], points[3*i+1], points[3*i+2]};
      Hit h{&b, vertices, q, {0, 0, 0}, radius * radius, -1, 6};
      RTCPointQuery query{q.x, q.y, q.z, 0, radius};
      RTCPointQueryContext context; rtcInitPointQueryContext(&context);
      rtcPointQuery(scene, &query, &context, closest, &h);
      if (h.t < 0) { out.distances[i] = radius; out.normals[3*i] = out.normals[3*i+1] = out.normals[3*i+2] = 0; out.ids[i] = ~0u; continue; }
      float d = std::sqrt(h.d2);
      V3 away = h.q - h.c;
      float s = 1;
      if (sign == 1) {
        V3 pn = h.feature == 6 ? normals.face[h.t] : h.feature >= 3 ? normals.edge[b.edgeOf[3*h.t + h.feature - 3]] : normals.vertex[b.weld[b.tri[3*h.t + h.feature]]];
        s = dot(pn, away) < 0 ? -1 : 1;
      } else if (sign == 2) s = dot(pseudonormalOf(b, vertices, h.t, h.feature), away) < 0 ? -1 : 1;
      out.distances[i] = s * d;
      float k = s / (d > 0 ? d : 1);
      out.normals[3*i] = k * away.x; out.normals[3*i+1] = k * away.y; out.normals[3*i+2] = k * away.z;
      out.ids[i] = h.t;
    }
  }
};

// Triangles as user primitives, since rtcCollide takes no others.
struct Collider {
  Body& b; RTCScene scene; RTCGeometry geometry; std::vector<V3> vertices; Pairs pairs;
  static void bounds(const RTCBoundsFunctionArguments* a) {
    Collider& c = *(Collider*)a->geometryUserPtr;
    const uint32_t* i = &c.b.tri[3 * a->primID];
    V3 p = c.vertices[i[0]], q = c.vertices[i[1]], r = c.vertices[i[2]];
    auto* o = a->bounds_o;
    o->lower_x = std::min(p.x, std::min(q.x, r.x)); o->upper_x = std::max(p.x, std::max(q.x, r.x));
    o->lower_y = std::min(p.y, std::min(q.y, r.y)); o->upper_y = std::max(p.y, std::max(q.y, r.y));
    o->lower_z = std::min(p.z, std::min(q.z, r.z)); o->upper_z = std::max(p.z, std::max(q.z, r.z));
  }
  static void meet(void* user, RTCCollision* list, unsigned n) {
    Collider& c = *(Collider*)user;
    for (unsigned k = 0; k < n; k++) {
      uint32_t s = list[k].primID0, t = list[k].primID1;
      if (s >= t) continue;
      const uint32_t *i = &c.b.tri[3*s], *j = &c.b.tri[3*t];
      bool shared = false;
      for (int x = 0; x < 3; x++) for (int y = 0; y < 3; y++) shared |= i[x] == j[y];
      if (shared) continue;
      if (trianglesMeet(&c.vertices[i[0]], &c.vertices[i[1]], &c.vertices[i[2]], &c.vertices[j[0]], &c.vertices[j[1]], &c.vertices[j[2]])) c.pairs.push_back({s, t});
    }
  }
  Collider(Body& body) : b(body), vertices(body.V) {
    memcpy((void*)vertices.data(), b.rest.data(), 12 * b.V);
    scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC); rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
    geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, b.T);
    rtcSetGeometryUserData(geometry, this);
    rtcSetGeometryBoundsFunction(geometry, bounds, this);
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcCommitScene(scene);
  }
  void run(int f) {
    memcpy((void*)vertices.data(), b.frame(f), 12 * b.V);
    rtcCommitGeometry(geometry);
    rtcCommitScene(scene);
    pairs.clear();
    rtcCollide(scene, scene, meet, this);
  }
};

// Linear blend skinning in single precision: matrices blended by 8-wide fused steps, then one product a vertex.
struct Skin {
  Body& b; std::vector<uint32_t> starts; std::vector<uint16_t> bones; std::vector<float> weights, bound, matrices; int B;
  alignas(32) std::vector<float> out;
  Skin(Body& body) : b(body) {
    starts = readAll<uint32_t>(b.name + ".starts.u32"); bones = readAll<uint16_t>(b.name + ".bones.u16");
    weights = readAll<float>(b.name + ".weights.f32"); bound = readAll<float>(b.name + ".bound.f32");
    matrices = readAll<float>(b.name + ".matrices.f32");  // F x B x 16, column-major
    B = matrices.size() / (16 * b.F);
    out.resize(3 * b.V + 8);
  }
  void run(int f) {
    const float* m = matrices.data() + (size_t)16 * B * (f % b.F);
    for (int v = 0; v < b.V; v++) {
      __m256 lo = _mm256_setzero_ps(), hi = _mm256_setzero_ps();
      for (uint32_t k = starts[v]; k < starts[v + 1]; k++) {
        const float* a = m + 16 * bones[k];
        __m256 w = _mm256_set1_ps(weights[k]);
        lo = _mm256_fmadd_ps(w, _mm256_loadu_ps(a), lo);
        hi = _mm256_fmadd_ps(w, _mm256_loadu_ps(a + 8), hi);
      }
      __m128 r = _mm256_extractf128_ps(hi, 1);
      r = _mm_fmadd_ps(_mm256_castps256_ps128(lo), _mm_set1_ps(bound[3*v]), r);
      r = _mm_fmadd_ps(_mm256_extractf128_ps(lo, 1), _mm_set1_ps(bound[3*v+1]), r);
      r = _mm_fmadd_ps(_mm256_castps256_ps128(hi), _mm_set1_ps(bound[3*v+2]), r);
      alignas(16) float t[4]; _mm_store_ps(t, r);
      out[3*v] = t[0]; out[3*v+1] = t[1]; out[3*v+2] = t[2];
    }
  }
};

int main(int argc, char** argv) {
  device = rtcNewDevice("threads=1,set_affinity=0");
  return serve(argc, argv, [&](const std::string& method, Body& b) -> Method {
    auto has = [&](const char* word) { return method.find(word) != std::string::npos; };
    if (method == "collide") { auto c = std::make_shared<Collider>(b); return [c](int f, const std::string&, int, Answers& out) { c->run(f); out.pairs = c->pairs; }; }
    unsigned flags = RTC_SCENE_FLAG_DYNAMIC;
    if (has("compact")) flags |= RTC_SCENE_FLAG_COMPACT;
    auto t = std::make_shared<Tree>(b, has("rebuild") ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_REFIT, flags);
    int sign = has("signed") ? 1 : has("lazy") ? 2 : 0;
    bool update = has("update");
    float radius = has("trunc") ? readAll<float>(b.name + ".truncation.f32").at(0) : INFINITY;
    std::shared_ptr<Skin> s = has("skin+") ? std::make_shared<Skin>(b) : nullptr;
    return [t, sign, update, s, radius](int f, const std::string& kind, int n, Answers& out) {
      if (s) { s->run(f); t->follow((const V3*)s->out.data()); }
      else t->follow(t->b.frame(f));
      if (sign == 1) t->normals.compute(t->b, t->vertices);
      if (!update) t->ask(t->b.pts(kind, f), n, out, sign, radius);
    };
  });
}
