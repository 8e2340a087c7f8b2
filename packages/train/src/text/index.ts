/** Figures as people read them in a terminal: numbers, tables, measured quality. For the command line and the bench. */
export { figuresText } from './figures.js'
export { formatBytes, formatCount, formatNumber, formatPoint, formatSeconds, labelled, table } from './format.js'
export { QUALITY_HEADING, qualityCells, qualityTable, seenLine, sideBySide } from './quality-table.js'
export { selfContactTable } from './self-contact-table.js'
