import { OnnxGraph } from './onnx.ts'
import { addScores, addTokenStartsOfUtterance, addToneDetector, SUBSAMPLING } from './tone-detector.ts'
import { type ToneLanguage, tokensFile, tokensOf } from './vocabulary.ts'
import type { ModelFile } from './write-model.ts'

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

/** An offline CTC model of the type `zipformer2_ctc`, for whole utterances of at least 80 ms. */
export function offlineCtc({ words }: ToneLanguage): readonly ModelFile[] {
  const tokens = tokensOf(words)
  const graph = new OnnxGraph('ctc')
  const features = graph.input('x', 'float', ['N', 'T', MEL_BINS])
  const lengths = graph.input('x_lens', 'int64', ['N'])

  const tones = addToneDetector(graph, features, words)
  const starts = graph.node('Transpose', [addTokenStartsOfUtterance(graph, tones)], { perm: [0, 2, 1] })
  const scores = graph.node('LogSoftmax', [addScores(graph, starts, words, tokens)], { axis: -1 })
  const frames = graph.node('Div', [lengths, graph.integers([SUBSAMPLING])])

  graph.output('log_probs', scores, 'float', ['N', 'frames', tokens.length])
  graph.output('log_probs_len', frames, 'int64', ['N'])
  return [
    { name: 'model.onnx', role: 'model', content: graph.encode({ model_type: 'zipformer2_ctc' }) },
    { name: 'tokens.txt', role: 'tokens', content: tokensFile(tokens) },
  ]
}
