import { MEL_BINS, melBinOf } from './mel.ts'
import { OnnxGraph } from './onnx.ts'
import { FLOOR } from './tone-detector.ts'
import type { ModelFile } from './write-model.ts'

/** Speakers differ in a high overtone, in hertz, which no word of the tiny models uses. */
export const OVERTONES = { first: 4_200, second: 5_600, third: 6_900 } as const
/** Frequencies above it tell speakers apart, in hertz. */
const LOWEST_OVERTONE = 3_700

/** How far an overtone must exceed the mean of the high bands, in nepers of energy; noise seldom does. */
const MIN_CONTRAST = 2
/** Smallest length of a vector that is scaled to 1; that of silence remains zero. */
const MIN_LENGTH = 1e-3

/**
 * A model that turns sound into a vector of the length 1: how far each high band exceeds the others, on average. Vectors
 * of speakers with different overtones have almost no band in common; the vector of silence is zero.
 */
export function speakerEmbedding(): readonly ModelFile[] {
  const firstBin = Math.round(melBinOf(LOWEST_OVERTONE))
  const dimensions = MEL_BINS - firstBin
  const graph = new OnnxGraph('speaker')
  const features = graph.input('feats', 'float', ['N', 'T', MEL_BINS])

  const high = graph.slice(graph.node('Max', [features, graph.floats([FLOOR])]), 2, firstBin)
  const noise = graph.node('Add', [
    graph.node('ReduceMean', [high], { axes: [2], keepdims: 1 }),
    graph.floats([MIN_CONTRAST]),
  ])
  const overtones = graph.node('Relu', [graph.node('Sub', [high, noise])])
  const mean = graph.node('ReduceMean', [overtones], { axes: [1], keepdims: 0 })
  const length = graph.node('ReduceL2', [mean], { axes: [1], keepdims: 1 })
  const vector = graph.node('Div', [mean, graph.node('Max', [length, graph.floats([MIN_LENGTH])])])

  graph.output('embs', vector, 'float', ['N', dimensions])
  const metadata = {
    framework: 'wespeaker',
    language: 'English',
    output_dim: dimensions,
    sample_rate: 16_000,
    normalize_samples: 1,
  }
  return [{ name: 'model.onnx', role: 'model', content: graph.encode(metadata) }]
}
