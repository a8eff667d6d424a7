import { MEL_BINS } from './mel.ts'
import { OnnxGraph } from './onnx.ts'
import { addScores, addTokenStartsOfUtterance, addToneDetector, SUBSAMPLING } from './tone-detector.ts'
import { type ToneLanguage, tokensFile, tokensOf } from './vocabulary.ts'
import type { ModelFile } from './write-model.ts'

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
