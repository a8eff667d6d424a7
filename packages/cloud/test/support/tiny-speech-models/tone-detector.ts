import { DEFAULT_UPPER_EDGE, MEL_BINS, melBinOf } from './mel.ts'
import type { OnnxGraph } from './onnx.ts'
import type { ToneWord } from './vocabulary.ts'

/** Features that one frame covers: 40 ms, the resolution that the library assumes of most models. */
export const SUBSAMPLING = 4

/** Quieter sound counts as silence: below a tone of 5 %, above quiet noise and the remains of sound codecs. */
export const FLOOR = -6
/** How far the bins of a tone must exceed the mean of all bins, in nepers of energy. */
const THRESHOLD = 2.5
/** Half of the width of a tone, in bins. */
const HALF_WIDTH = 2

/** Frames between the two tokens of a word. */
const DELAY_OF_SECOND = 2
/** Earlier frames that the start of a token depends on. */
export const HISTORY = DELAY_OF_SECOND + 1

/** How clearly a token wins over the blank, or the blank over all tokens, in nepers. */
const MARGIN = 10

export interface ToneDetectorOptions {
  /** Features that one frame covers. */
  readonly subsampling?: number
  /** Upper edge of the features, in hertz. */
  readonly upperEdge?: number
}

/**
 * Adds nodes that detect the tones of `words` in features.
 * @param features floats [batch, time, {@link MEL_BINS}]
 * @returns 1 where a tone is louder than the rest, else 0: floats [batch, words, time / subsampling]
 */
export function addToneDetector(
  graph: OnnxGraph,
  features: string,
  words: readonly ToneWord[],
  { subsampling = SUBSAMPLING, upperEdge = DEFAULT_UPPER_EDGE }: ToneDetectorOptions = {},
): string {
  const audible = graph.node('Max', [features, graph.floats([FLOOR])])
  const weights = transpose(words.map(({ tone }) => contrastWeights(melBinOf(tone, upperEdge))))
  const contrasts = graph.node('MatMul', [audible, graph.matrix(weights)])
  const byWord = graph.node('Transpose', [contrasts], { perm: [0, 2, 1] })
  const means = graph.node('AveragePool', [byWord], { kernel_shape: [subsampling], strides: [subsampling] })
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
 * @param sustained floats [batch, words, {@link HISTORY} + time], with the frames before the first one to examine
 * @returns 1 where a token starts, else 0: floats [batch, 2 × words, time], first tokens before second tokens
 */
export function addTokenStarts(graph: OnnxGraph, sustained: string): string {
  const changes = graph.node('Sub', [graph.slice(sustained, 2, 1), graph.slice(sustained, 2, 0, -1)])
  const starts = graph.node('Relu', [changes])
  const first = graph.slice(starts, 2, DELAY_OF_SECOND)
  const second = graph.slice(starts, 2, 0, -DELAY_OF_SECOND)
  return graph.node('Concat', [first, second], { axis: 1 })
}

/** Adds nodes that find where tokens start in a whole utterance, before which nothing sounds. See {@link addTokenStarts}. */
export function addTokenStartsOfUtterance(graph: OnnxGraph, tones: string): string {
  const sustained = addSustained(graph, tones)
  // The last frame has no next one.
  const padded = graph.node('Pad', [sustained, graph.integers([0, 0, HISTORY, 0, 0, 1])])
  return addTokenStarts(graph, padded)
}

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
function contrastWeights(center: number): number[] {
  const shape = Array.from({ length: MEL_BINS }, (_, bin) =>
    Math.max(0, 1 - Math.abs(bin - center) / HALF_WIDTH),
  )
  const sum = shape.reduce((total, weight) => total + weight, 0)
  return shape.map((weight) => weight / sum - 1 / MEL_BINS)
}

function transpose(rows: readonly (readonly number[])[]): number[][] {
  return (rows[0] ?? []).map((_value, column) => rows.map((row) => row[column] ?? 0))
}
