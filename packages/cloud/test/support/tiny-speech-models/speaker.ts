import { MEL_BINS, melBinOf } from './mel.ts'
import { OnnxGraph } from './onnx.ts'
import { FLOOR } from './tone-detector.ts'
import type { ModelFile } from './write-model.ts'

/** Speakers differ in a high overtone, in hertz, which no word of the tiny models uses. */
export const OVERTONES = { first: 4_200, second: 5_600, third: 6_900 } as const
/** Frequencies above it tell speakers apart, in hertz. */
const LOWEST_OVERTONE = 3_700

/** Smallest length of a vector that is scaled to 1; silence remains almost zero. */
const MIN_LENGTH = 1e-3

/**
 * A model that turns sound into a vector of the length 1: the mean energy of each high band above silence. Vectors of
 * speakers with different overtones have almost no band in common.
 */
export function speakerEmbedding(): readonly ModelFile[] {
  const firstBin = Math.round(melBinOf(LOWEST_OVERTONE))
  const dimensions = MEL_BINS - firstBin
  const graph = new OnnxGraph('speaker')
  const features = graph.input('feats', 'float', ['N', 'T', MEL_BINS])

  const aboveSilence = graph.node('Relu', [graph.node('Sub', [features, graph.floats([FLOOR])])])
  const high = graph.slice(aboveSilence, 2, firstBin)
  const mean = graph.node('ReduceMean', [high], { axes: [1], keepdims: 0 })
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
