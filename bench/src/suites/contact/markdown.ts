/** Suite contact in documents: what of it was measured, part by part. */
import type { ContactBenchResult, ContactFigures, PartName } from './parts.js'
import { boundsText, cubeText, curvesText } from './text/analytic.js'
import { boxesText } from './text/boxes.js'
import { deformablesText } from './text/deformables.js'
import { pairsText } from './text/pairs.js'
import { racesText } from './text/races.js'
import { stackingText } from './text/stacking.js'
import { wholeSurfaceText } from './text/whole-surface.js'

/** In their order in documents. */
const TEXTS: { readonly [Name in PartName]: (figures: ContactFigures[Name]) => string } = {
  pairs: pairsText,
  boxes: boxesText,
  cubeSphere: cubeText,
  curves: curvesText,
  bounds: boundsText,
  races: racesText,
  stacking: stackingText,
  wholeSurface: wholeSurfaceText,
  deformables: deformablesText,
}

/** @param originOf  the line below each part, if they are of several runs */
export function contactMarkdown(result: ContactBenchResult, originOf?: (part: string) => string): string {
  const parts = (Object.keys(TEXTS) as PartName[]).flatMap((name) => {
    const text = textOf(name, result[name])
    return text === undefined ? [] : [text, ...(originOf ? [originOf(name)] : [])]
  })
  return ['## Contact between two fields (`bench contact`)', ...parts].join('\n\n')
}

function textOf<Name extends PartName>(name: Name, figures: ContactFigures[Name] | undefined): string | undefined {
  return figures === undefined ? undefined : TEXTS[name](figures)
}
