// What all native rivals share: bodies and points that the suite wrote (src/suites/native/data-folder.ts), timing,
// pseudonormals, and the protocol of src/suites/native/native-program.ts on standard input:
//   METHOD BODY KIND N FIRST FRAMES WARM [FILE]  ->  {"times":[microseconds of each frame after the first WARM, ...]}
// A frame: the body's vertices move, then the first N points of that frame are answered; frames go round from FIRST on.
// With FILE the answers of each frame are written instead, and {"written":FRAMES} said: N distances, N normals, N triangle
// numbers, or with KIND "self" the number of pairs that meet and their triangles. A refusal is {"error":"..."}.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <time.h>
#include <unordered_map>
#include <vector>

struct V3 { float x, y, z; };
static inline V3 operator-(V3 a, V3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline V3 operator+(V3 a, V3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline V3 operator*(float s, V3 a) { return {s * a.x, s * a.y, s * a.z}; }
static inline float dot(V3 a, V3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline V3 cross(V3 a, V3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

// Where the suite wrote the bodies: the program's one argument.
static std::string DATA;

template <class T> std::vector<T> readAll(const std::string& name) {
  std::string path = DATA + "/" + name;
  FILE* f = fopen(path.c_str(), "rb");
  if (!f) throw std::runtime_error("cannot open " + path);
  fseek(f, 0, SEEK_END); long n = ftell(f); rewind(f);
  std::vector<T> v(n / sizeof(T));
  bool whole = fread(v.data(), sizeof(T), v.size(), f) == v.size();
  fclose(f);
  if (!whole) throw std::runtime_error("cannot read " + path);
  return v;
}

struct Body {
  std::string name;
  int V = 0, T = 0, F = 0, P = 0;  // vertices, triangles, frames, points of a frame in the file
  std::vector<float> rest, frames;
  std::vector<uint32_t> tri;
  std::map<std::string, std::vector<float>> points;
  // welded ids and edges for pseudonormals
  std::vector<uint32_t> weld, edgeOf;  // edgeOf[3t+k]: edge opposite nothing, edge k = (k,k+1)
  int E = 0;
  std::vector<uint32_t> edgeFaces;  // 2 per edge
  std::vector<uint32_t> ringStart, ring;  // triangles round each welded vertex
  const V3* frame(int f) const { return (const V3*)(frames.data() + (size_t)3 * V * (f % F)); }
  // read when they are first asked for
  const float* pts(const std::string& kind, int f) {
    auto& p = points[kind];
    if (p.empty()) { p = readAll<float>(name + "." + kind + ".f32"); P = p.size() / (3 * F); }
    return p.data() + (size_t)3 * P * (f % F);
  }
};

static Body loadBody(const std::string& name) {
  Body b; b.name = name;
  b.rest = readAll<float>(name + ".rest.f32"); b.tri = readAll<uint32_t>(name + ".triangles.u32");
  b.V = b.rest.size() / 3; b.T = b.tri.size() / 3;
  b.frames = readAll<float>(name + ".frames.f32");
  b.F = b.frames.size() / (3 * b.V);
  // vertices at one place at rest are one (texture seams)
  std::map<std::array<float, 3>, uint32_t> at;
  b.weld.resize(b.V);
  for (int v = 0; v < b.V; v++) b.weld[v] = at.insert({{b.rest[3*v], b.rest[3*v+1], b.rest[3*v+2]}, (uint32_t)v}).first->second;
  std::unordered_map<uint64_t, uint32_t> edges;
  b.edgeOf.resize(3 * b.T);
  for (int t = 0; t < b.T; t++) for (int k = 0; k < 3; k++) {
    uint64_t i = b.weld[b.tri[3*t+k]], j = b.weld[b.tri[3*t+(k+1)%3]];
    uint64_t key = (std::min(i, j) << 32) | std::max(i, j);
    auto [it, fresh] = edges.insert({key, b.E});
    if (fresh) { b.E++; b.edgeFaces.insert(b.edgeFaces.end(), {(uint32_t)t, (uint32_t)t}); }
    else b.edgeFaces[2 * it->second + 1] = t;
    b.edgeOf[3*t+k] = it->second;
  }
  std::vector<uint32_t> count(b.V + 1, 0);
  for (auto v : b.tri) count[b.weld[v] + 1]++;
  for (int v = 0; v < b.V; v++) count[v + 1] += count[v];
  b.ringStart = count; b.ring.resize(3 * b.T);
  auto fill = count;
  for (int t = 0; t < b.T; t++) for (int k = 0; k < 3; k++) b.ring[fill[b.weld[b.tri[3*t+k]]]++] = t;
  return b;
}

// Angle-weighted pseudonormals (Baerentzen and Aanaes 2005).
struct Pseudonormals {
  std::vector<V3> face, vertex, edge;
  void compute(const Body& b, const V3* p) {
    face.resize(b.T); vertex.assign(b.V, {0, 0, 0}); edge.resize(b.E);
    for (int t = 0; t < b.T; t++) {
      const uint32_t* i = &b.tri[3 * t];
      V3 A = p[i[0]], B = p[i[1]], C = p[i[2]];
      V3 ab = B - A, bc = C - B, ca = A - C;
      V3 n = cross(ab, C - A);
      float l = std::sqrt(dot(n, n)); n = (l > 0 ? 1 / l : 0) * n;
      face[t] = n;
      float lab = std::sqrt(dot(ab, ab)), lbc = std::sqrt(dot(bc, bc)), lca = std::sqrt(dot(ca, ca));
      auto angle = [](float c) { return std::acos(std::max(-1.f, std::min(1.f, c))); };
      float a = angle(-dot(ab, ca) / (lab * lca)), bb = angle(-dot(bc, ab) / (lbc * lab)), c = (float)M_PI - a - bb;
      vertex[b.weld[i[0]]] = vertex[b.weld[i[0]]] + a * n;
      vertex[b.weld[i[1]]] = vertex[b.weld[i[1]]] + bb * n;
      vertex[b.weld[i[2]]] = vertex[b.weld[i[2]]] + c * n;
    }
    for (int e = 0; e < b.E; e++) edge[e] = face[b.edgeFaces[2*e]] + face[b.edgeFaces[2*e+1]];
  }
};

static inline V3 faceNormalOf(const Body& b, const V3* p, int t) {
  const uint32_t* i = &b.tri[3 * t];
  V3 n = cross(p[i[1]] - p[i[0]], p[i[2]] - p[i[0]]);
  float l = std::sqrt(dot(n, n));
  return (l > 0 ? 1 / l : 0) * n;
}

// The same of the one feature that a query hit, from its surroundings.
static inline V3 pseudonormalOf(const Body& b, const V3* p, int t, int feature) {
  if (feature == 6) return faceNormalOf(b, p, t);
  if (feature >= 3) {
    uint32_t e = b.edgeOf[3 * t + feature - 3];
    return faceNormalOf(b, p, b.edgeFaces[2*e]) + faceNormalOf(b, p, b.edgeFaces[2*e+1]);
  }
  uint32_t v = b.weld[b.tri[3 * t + feature]];
  V3 sum{0, 0, 0};
  for (uint32_t k = b.ringStart[v]; k < b.ringStart[v + 1]; k++) {
    int u = b.ring[k];
    const uint32_t* i = &b.tri[3 * u];
    int c = b.weld[i[0]] == v ? 0 : b.weld[i[1]] == v ? 1 : 2;
    V3 e1 = p[i[(c + 1) % 3]] - p[i[c]], e2 = p[i[(c + 2) % 3]] - p[i[c]];
    float cosine = dot(e1, e2) / std::sqrt(dot(e1, e1) * dot(e2, e2));
    sum = sum + std::acos(std::max(-1.f, std::min(1.f, cosine))) * faceNormalOf(b, p, u);
  }
  return sum;
}

// Ericson, Real-Time Collision Detection 5.1.5. feature: 0..2 corner, 3..5 edge (ab, bc, ca), 6 face
static inline V3 closestOnTriangle(V3 p, V3 a, V3 b, V3 c, int& feature) {
  V3 ab = b - a, ac = c - a, ap = p - a;
  float d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) { feature = 0; return a; }
  V3 bp = p - b;
  float d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) { feature = 1; return b; }
  float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) { feature = 3; return a + (d1 / (d1 - d3)) * ab; }
  V3 cp = p - c;
  float d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) { feature = 2; return c; }
  float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) { feature = 5; return a + (d2 / (d2 - d6)) * ac; }
  float va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) { feature = 4; return b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b); }
  feature = 6;
  float denom = 1 / (va + vb + vc);
  return a + (vb * denom) * ab + (vc * denom) * ac;
}

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;
struct Answers { std::vector<float> distances, normals; std::vector<uint32_t> ids; Pairs pairs;
  void size(int n) { distances.resize(n); normals.resize(3 * n); ids.resize(n); } };

// by the clock, or by this thread's processor time if that is less
static double nowUs(clockid_t id) { timespec t; clock_gettime(id, &t); return 1e6 * t.tv_sec + 1e-3 * t.tv_nsec; }
struct Stopwatch { double wall = nowUs(CLOCK_MONOTONIC), cpu = nowUs(CLOCK_THREAD_CPUTIME_ID);
  double us() const { double c = nowUs(CLOCK_THREAD_CPUTIME_ID) - cpu; double w = nowUs(CLOCK_MONOTONIC) - wall; return std::min(w, c); } };

// One frame of a method: frame number, kind of points, how many, answers.
using Method = std::function<void(int, const std::string&, int, Answers&)>;

static void writeAnswers(FILE* f, int n, bool self, Answers& out) {
  if (!self) { fwrite(out.distances.data(), 4, n, f); fwrite(out.normals.data(), 4, 3 * n, f); fwrite(out.ids.data(), 4, n, f); return; }
  for (auto& p : out.pairs) if (p.first > p.second) std::swap(p.first, p.second);
  std::sort(out.pairs.begin(), out.pairs.end());
  out.pairs.erase(std::unique(out.pairs.begin(), out.pairs.end()), out.pairs.end());
  uint32_t found = out.pairs.size();
  fwrite(&found, 4, 1, f); fwrite(out.pairs.data(), 8, found, f);
}

// Answers lines until there are no more; `make` gives a body's method, once.
static int serve(int argc, char** argv, const std::function<Method(const std::string& method, Body& body)>& make) {
  if (argc != 2) { fprintf(stderr, "usage: %s FOLDER, where 'pliant bench native' wrote its bodies\n", argv[0]); return 2; }
  DATA = argv[1];
  std::map<std::string, std::unique_ptr<Body>> bodies;
  std::map<std::string, Method> methods;
  std::string line;
  while (std::getline(std::cin, line)) try {
    std::istringstream in(line);
    std::string method, name, kind, file; int n = 0, first = 0, frames = 0, warm = 0;
    in >> method >> name >> kind >> n >> first >> frames >> warm >> file;
    if (!bodies.count(name)) bodies[name] = std::make_unique<Body>(loadBody(name));
    std::string key = method + " " + name;
    if (!methods.count(key)) methods[key] = make(method, *bodies[name]);
    auto& run = methods[key];
    Answers out; out.size(n);
    if (!file.empty()) {
      FILE* f = fopen(file.c_str(), "wb");
      if (!f) throw std::runtime_error("cannot write " + file);
      for (int k = first; k < first + frames; k++) { run(k, kind, n, out); writeAnswers(f, n, kind == "self", out); }
      fclose(f);
      printf("{\"written\":%d}\n", frames); fflush(stdout);
      continue;
    }
    std::vector<double> times;
    for (int k = 0; k < warm + frames; k++) {
      Stopwatch s;
      run(first + k, kind, n, out);
      double t = s.us();
      if (k >= warm) times.push_back(t);
    }
    printf("{\"times\":[");
    for (size_t i = 0; i < times.size(); i++) printf("%s%.3f", i ? "," : "", times[i]);
    printf("]}\n"); fflush(stdout);
  } catch (std::exception& e) {
    printf("{\"error\":\"%s\"}\n", e.what()); fflush(stdout);
  }
  return 0;
}
