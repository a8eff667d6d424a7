import type { OnnxGraph } from './onnx.ts'
import type { ToneWord } from './vocabulary.ts'

/** Bins of the features that the library computes: logarithms of energies in bands of the mel scale. */
export const MEL_BINS = 80
/** Features a second. */
const FEATURES_PER_S = 100
/** Features that one output of the models covers: 40 ms, the resolution that the library assumes. */
export const SUBSAMPLING = 4
export const FRAME_S = SUBSAMPLING / FEATURES_PER_S

/** Edges of the mel scale, in hertz: the defaults of the library. */
const LOWEST = 20
const HIGHEST = 7600

/** Quieter sound counts as silence: below a tone of 5 %, above quiet noise and the remains of sound codecs. */
const FLOOR = -6
/** How far the bins of a tone must exceed the mean of all bins, in nepers of energy. */
const THRESHOLD = 2.5
/** Half of the width of a tone, in bins. */
const HALF_WIDTH = 2

/** Frames between the two tokens of a word, and the one that the start of a word is compared with. */
const DELAY_OF_SECOND = 2
/** Earlier frames that the detector needs. */
export const HISTORY = DELAY_OF_SECOND + 1

/**
 * Adds nodes that detect the tones of `words` in features.
 * @param features floats [batch, time, {@link MEL_BINS}]
 * @returns 1 where a tone is louder than the rest, else 0: floats [batch, words, time / {@link SUBSAMPLING}]
 */
export function addToneDetector(graph: OnnxGraph, features: string, words: readonly ToneWord[]): string {
  const audible = graph.node('Max', [features, graph.floats([FLOOR])])
  const contrasts = graph.node('MatMul', [audible, graph.matrix(transpose(words.map(contrastWeights)))])
  const byWord = graph.node('Transpose', [contrasts], { perm: [0, 2, 1] })
  const means = graph.node('AveragePool', [byWord], { kernel_shape: [SUBSAMPLING], strides: [SUBSAMPLING] })
  return graph.node('Relu', [graph.node('Sign', [graph.node('Sub', [means, graph.floats([THRESHOLD])])])])
}

/**
 * Adds nodes that accept a tone only if it sounds in the next frame as well, so that a click is no word.
 * @param tones floats [batch, words, time]
 * @returns floats [batch, words, time - 1]
 */
export function addSustained(graph: OnnxGraph, tones: string): string {
  return graph.node('Mul', [graph.slice(tones, 2, 0, -1), graph.slice(tones, 2, 1)])
}

/**
 * Adds nodes that find where tokens start: the first token of a word where its tone starts, the second two frames later.
 * @param sustained floats [batch, words, {@link HISTORY} + time]: with the earlier frames before those to look at
 * @returns 1 where a token starts, else 0: floats [batch, 2 × words, time], first tokens before second tokens
 */
export function addTokenStarts(graph: OnnxGraph, sustained: string): string {
  const changes = graph.node('Sub', [graph.slice(sustained, 2, 1), graph.slice(sustained, 2, 0, -1)])
  const starts = graph.node('Relu', [changes])
  const first = graph.slice(starts, 2, DELAY_OF_SECOND)
  const second = graph.slice(starts, 2, 0, -DELAY_OF_SECOND)
  return graph.node('Concat', [first, second], { axis: 1 })
}

/** How clearly a token wins over the blank, or the blank over all tokens, in nepers. */
const MARGIN = 10

/**
 * Adds nodes that turn the starts of tokens into scores of all tokens.
 * @param starts floats [..., 2 × words]
 * @param tokens their index is their id; the blank has the id 0
 * @returns floats [..., tokens]
 */
export function addScores(
  graph: OnnxGraph,
  starts: string,
  words: readonly ToneWord[],
  tokens: readonly string[],
): string {
  const weights = [0, 1].flatMap((part) =>
    words.map((word) => tokens.map((token) => (token === word.tokens[part] ? 2 * MARGIN : 0))),
  )
  const blank = tokens.map((_token, id) => (id === 0 ? MARGIN : 0))
  return graph.node('Add', [graph.node('MatMul', [starts, graph.matrix(weights)]), graph.floats(blank)])
}

/** One weight for each bin: their sum with features is the mean of the bins of a tone minus the mean of all bins. */
function contrastWeights({ tone }: ToneWord): number[] {
  const center = binOf(tone)
  const shape = Array.from({ length: MEL_BINS }, (_, bin) =>
    Math.max(0, 1 - Math.abs(bin - center) / HALF_WIDTH),
  )
  const sum = shape.reduce((total, weight) => total + weight, 0)
  return shape.map((weight) => weight / sum - 1 / MEL_BINS)
}

/** The bin of a frequency, with fractions: bins overlap, and each is centered on a whole number. */
function binOf(frequency: number): number {
  const width = (mel(HIGHEST) - mel(LOWEST)) / (MEL_BINS + 1)
  return (mel(frequency) - mel(LOWEST)) / width - 1
}

function mel(frequency: number): number {
  return 1127 * Math.log(1 + frequency / 700)
}

function transpose(rows: readonly (readonly number[])[]): number[][] {
  return (rows[0] ?? []).map((_value, column) => rows.map((row) => row[column] ?? 0))
}
