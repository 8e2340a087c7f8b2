/**
 * Which joints are hands, feet and head, by their names and by what hangs from them. Names are cut into words at
 * capitals, digits and punctuation, so that one list serves Mixamo (`mixamorig:LeftHandIndex1`), CMU (`LeftToeBase`),
 * VRM and Unity (`J_Bip_L_Hand`), Unreal (`hand_l`, `ball_l`), Blender (`foot.L`), Biped (`Bip01 L Toe0`) and DAZ
 * (`lHand`) alike.
 */
export type BodyPart = 'hand' | 'foot' | 'head'

const WORDS: ReadonlyMap<string, BodyPart> = new Map([
  ...['hand', 'hands', 'wrist', 'palm', 'carpal', 'metacarpal', 'finger', 'fingers', 'thumb', 'pinky', 'index'].map(
    (word) => [word, 'hand'] as const,
  ),
  ...['foot', 'feet', 'ankle', 'toe', 'toes', 'ball', 'heel'].map((word) => [word, 'foot'] as const),
  ...['head', 'skull', 'jaw', 'eye', 'eyes'].map((word) => [word, 'head'] as const),
])

/** Fingers too, but only beside a joint that surely is one: a spine may have a middle, too. */
const FINGER_BESIDE_ANOTHER = new Set(['middle', 'ring', 'little'])

/** What each joint belongs to; what hangs from a hand is hand, whatever it is called. */
export function bodyParts(names: readonly string[], parents: ArrayLike<number>): (BodyPart | undefined)[] {
  const words = names.map(wordsOf)
  const named = words.map((own) => own.map((word) => WORDS.get(word)).find((part) => part !== undefined))
  const handParents = new Set(named.map((part, joint) => (part === 'hand' ? parents[joint] : -1)))
  const parts: (BodyPart | undefined)[] = []
  for (let joint = 0; joint < names.length; joint++) {
    const above = parents[joint] >= 0 ? parts[parents[joint]] : undefined
    const beside = handParents.has(parents[joint]) && words[joint].some((word) => FINGER_BESIDE_ANOTHER.has(word))
    parts.push(above ?? named[joint] ?? (beside ? 'hand' : undefined))
  }
  return parts
}

/** Lower-case words of a name, sides taken off: `mixamorig:LeftHandIndex1` gives mixamorig, left, hand, index. */
function wordsOf(name: string): string[] {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []
  return words.flatMap((word) => {
    const lower = word.toLowerCase()
    const sideless = lower.replace(/^(left|right|l|r)(?=.)/, '')
    return WORDS.has(lower) || !WORDS.has(sideless) ? [lower] : [sideless]
  })
}
