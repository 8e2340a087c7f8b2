/** Files of results: those that are committed, and made-up ones such as suites save now. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { ResultFile } from '../../src/report/result-file.js'
import {
  barResult,
  contactResult,
  cspaceResult,
  drapedResult,
  handlerResult,
  hapticsResult,
  nativeResult,
  windResult,
} from '../suites/results.js'

export const root = new URL('../../../', import.meta.url)

export function committed(suite: string): ResultFile | undefined {
  const path = new URL(`bench/results/${suite}.json`, root)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

export function committedCells(suite: string): object[] {
  const folder = new URL(`bench/cells/${suite}/`, root)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  return names.sort().map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
}

const MADE: Record<string, object> = {
  bar: barResult,
  cloth: drapedResult,
  contact: contactResult,
  cspace: cspaceResult,
  handler: handlerResult,
  haptics: hapticsResult,
  native: nativeResult,
  wind: windResult,
}
const ORIGIN = {
  date: '2026-01-02T00:00:00Z',
  machine: { cpu: 'a', cores: 2, memoryGB: 1, node: 'v20', platform: 'b' },
  commit: `${'ab'.repeat(20)} dirty`,
}

export function savedNow(suite: string): ResultFile {
  return MADE[suite] ? { suite, ...ORIGIN, quick: false, result: MADE[suite] } : { ...committed(suite)!, ...ORIGIN }
}
