import { OnnxGraph } from './onnx.ts'
import {
  addScores,
  addSustained,
  addTokenStarts,
  addToneDetector,
  HISTORY,
  MEL_BINS,
  SUBSAMPLING,
} from './tone-detector.ts'
import { type ToneLanguage, tokensFile, tokensOf } from './vocabulary.ts'
import type { ModelFile } from './write-model.ts'

/** An offline CTC model of the type `zipformer2_ctc`, for whole utterances of at least 80 ms. */
export function offlineCtc({ words }: ToneLanguage): readonly ModelFile[] {
  const tokens = tokensOf(words)
  const graph = new OnnxGraph('ctc')
  const features = graph.input('x', 'float', ['N', 'T', MEL_BINS])
  const lengths = graph.input('x_lens', 'int64', ['N'])

  const sustained = addSustained(graph, addToneDetector(graph, features, words))
  // Nothing sounds before the utterance; the last frame has no next one.
  const padded = graph.node('Pad', [sustained, graph.integers([0, 0, HISTORY, 0, 0, 1])])
  const starts = graph.node('Transpose', [addTokenStarts(graph, padded)], { perm: [0, 2, 1] })
  const scores = graph.node('LogSoftmax', [addScores(graph, starts, words, tokens)], { axis: -1 })

  graph.output('log_probs', scores, 'float', ['N', 'frames', tokens.length])
  graph.output('log_probs_len', graph.node('Div', [lengths, graph.integers([SUBSAMPLING])]), 'int64', ['N'])
  return [
    { name: 'model.onnx', role: 'model', content: graph.encode({ model_type: 'zipformer2_ctc' }) },
    { name: 'tokens.txt', role: 'tokens', content: tokensFile(tokens) },
  ]
}
