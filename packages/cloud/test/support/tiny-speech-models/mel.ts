/** Bins of the features that the library computes: logarithms of energies in bands of the mel scale. */
export const MEL_BINS = 80

/** Lower edge of the bands, in hertz. */
const LOWEST = 20
/** Upper edge of the bands that most models of the library use, in hertz. */
export const DEFAULT_UPPER_EDGE = 7600

/**
 * The bin of a frequency, with fractions: bands overlap, and the center of each has a whole number.
 * @param frequency in hertz
 * @param upperEdge of the bands, in hertz
 */
export function melBinOf(frequency: number, upperEdge = DEFAULT_UPPER_EDGE): number {
  const width = (mel(upperEdge) - mel(LOWEST)) / (MEL_BINS + 1)
  return (mel(frequency) - mel(LOWEST)) / width - 1
}

function mel(frequency: number): number {
  return 1127 * Math.log(1 + frequency / 700)
}
