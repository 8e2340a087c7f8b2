/** Numbers and tables as a person reads them; they live where the bench reaches them, too. */
export {
  formatBytes,
  formatCount,
  formatNumber,
  formatPoint,
  formatSeconds,
  labelled,
  table,
} from '@pliant/train/unstable/text'
