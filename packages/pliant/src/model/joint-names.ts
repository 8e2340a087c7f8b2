/**
 * Joint names read as people mean them: a side, words of the body, and numbers. Names are cut at capitals, digits and
 * punctuation, words that run together (`leftupleg`) by a list of known ones, and what most names of a skeleton begin
 * with (`mixamorig`, `Bip01`, `J_Bip`, `DEF`, `b_`) is left out, so that one reading serves Mixamo, CMU, Blender, VRM,
 * Biped, Unreal, DAZ and Poser alike.
 */
export type Side = 'left' | 'right'

export interface JointName {
  /** undefined for the middle, and for names that claim both sides. */
  side: Side | undefined
  /** Lower case, sides and words that say nothing left out. */
  words: readonly string[]
  /** As written, leading zeros included. */
  digits: readonly string[]
  /** Equal for names that mean the same joint; empty for a joint without a name. */
  key: string
}

const SIDES: Readonly<Record<string, Side>> = {
  left: 'left',
  l: 'left',
  lf: 'left',
  lft: 'left',
  right: 'right',
  r: 'right',
  rt: 'right',
  rgt: 'right',
}

/** Words that run-together names are cut into; each also stands for itself (`rear` is no right ear). */
const KNOWN = new Set(
  (
    'hips hip pelvis spine chest thorax torso abdomen waist back neck head shoulder shldr clavicle collar arm elbow ' +
    'forearm hand wrist palm thumb index middle mid ring pinky little finger fingers thigh leg knee shin calf foot feet ' +
    'ankle toe toes ball heel eye eyes jaw ear rear tail buttock up upper low lower fore base top end nub tip twist roll ' +
    'bend metacarpal metatarsals proximal intermediate distal phalanx joint'
  ).split(' '),
)

/** Words that say nothing of which joint it is. */
const NOISE = new Set(['joint', 'jnt', 'jt', 'bone', 'bind', 'def', 'skin', 'c', 'center', 'centre', 'm'])

/** Share of the names that begin alike for the beginning to be a prefix. */
const PREFIX_SHARE = 0.6
const FEWEST_FOR_PREFIX = 4

/** @param names  of all joints of one skeleton: what they begin with is told from all of them */
export function readJointNames(names: readonly string[]): JointName[] {
  const tokens = names.map((name) => tokensOf(name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('|')) + 1)))
  dropPrefix(tokens)
  return tokens.map((own, i) => readTokens(own, names[i]))
}

function tokensOf(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((token) => token.toLowerCase())
}

/** In place. */
function dropPrefix(tokens: string[][]): void {
  const named = tokens.filter((own) => own.length > 0)
  if (named.length < FEWEST_FOR_PREFIX) return
  for (;;) {
    const counts = new Map<string, number>()
    for (const [first] of named) counts.set(first, (counts.get(first) ?? 0) + 1)
    const prefix = [...counts].find(([, count]) => count >= PREFIX_SHARE * named.length)?.[0]
    if (prefix === undefined || KNOWN.has(prefix) || prefix in SIDES) return
    for (const own of tokens) if (own.length > 1 && own[0] === prefix) own.shift()
    // Names that are nothing but the prefix keep it; were they most, the loop would not end.
    if (named.filter(([first]) => first === prefix).length >= PREFIX_SHARE * named.length) return
  }
}

function readTokens(tokens: readonly string[], name: string): JointName {
  const parts = tokens.flatMap((token) => (/\d/.test(token) || token in SIDES ? [token] : splitWord(token)))
  const sides = new Set(parts.flatMap((part) => SIDES[part] ?? []))
  const side = sides.size === 1 ? [...sides][0] : undefined
  const words = parts.filter((part) => !(part in SIDES) && !NOISE.has(part) && !/\d/.test(part))
  const digits = parts.filter((part) => /\d/.test(part))
  // Letters that the cutting above does not know, as of 左腕, must all agree; two sides at once say nothing.
  const other = (name.match(/\P{ASCII}+/gu) ?? []).join('')
  const key = [[...sides].sort().join('-'), ...words, ...digits.map(Number), other].join(' ').trim()
  return { side, words, digits, key }
}

/** `leftupleg` gives left, up, leg; a word that is not made of known ones stays whole. */
function splitWord(word: string): string[] {
  if (KNOWN.has(word)) return [word]
  const whole = cutIntoKnown(word)
  if (whole) return whole
  const before = /^(left|right|l|r)(.+)$/.exec(word)
  const rest = before && cutIntoKnown(before[2])
  if (before && rest) return [before[1], ...rest]
  const after = /^(.+?)(left|right|l|r)$/.exec(word)
  const front = after && cutIntoKnown(after[1])
  return after && front ? [...front, after[2]] : [word]
}

/** The fewest known words that make up the text, or undefined. */
function cutIntoKnown(text: string): string[] | undefined {
  if (text.length > 40) return undefined
  const best: (string[] | undefined)[] = [[]]
  for (let end = 1; end <= text.length; end++) {
    for (let start = 0; start < end; start++) {
      const word = text.slice(start, end)
      const before = best[start]
      if (!before || !KNOWN.has(word)) continue
      if (before.length + 1 < (best[end]?.length ?? Infinity)) best[end] = [...before, word]
    }
  }
  return best[text.length]
}
