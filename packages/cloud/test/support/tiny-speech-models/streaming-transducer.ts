import { MEL_BINS } from './mel.ts'
import { OnnxGraph } from './onnx.ts'
import {
  addScores,
  addSustained,
  addTokenStarts,
  addToneDetector,
  HISTORY,
  SUBSAMPLING,
} from './tone-detector.ts'
import { type ToneLanguage, tokensFile, tokensOf } from './vocabulary.ts'
import type { ModelFile } from './write-model.ts'

/** Features that one run of the encoder consumes, unless a model has another chunk: 160 ms. */
const CHUNK = 16
/** Tokens that the decoder sees. It ignores them: what was recognized does not change what follows. */
const CONTEXT = 2

/**
 * A streaming transducer of the type `lstm`, which has two states only. The first state contains the last frames of the
 * detector, the second nothing.
 * @param chunk features that one run of the encoder consumes, of 10 ms
 */
export function streamingTransducer({ words }: ToneLanguage, chunk = CHUNK): readonly ModelFile[] {
  /** Features that one run of the encoder reads: the chunk, and the next frame. */
  const window = chunk + SUBSAMPLING
  const tokens = tokensOf(words)
  const width = 2 * words.length
  return [
    { name: 'encoder.onnx', role: 'encoder', content: encoder() },
    { name: 'decoder.onnx', role: 'decoder', content: decoder() },
    { name: 'joiner.onnx', role: 'joiner', content: joiner() },
    { name: 'tokens.txt', role: 'tokens', content: tokensFile(tokens) },
  ]

  function encoder(): Uint8Array {
    const graph = new OnnxGraph('encoder')
    const stateWidth = HISTORY * words.length
    const features = graph.input('x', 'float', ['N', window, MEL_BINS])
    const history = graph.input('h', 'float', [1, 'N', stateWidth])
    const unused = graph.input('c', 'float', [1, 'N', 1])

    const earlier = graph.node('Reshape', [history, graph.integers([-1, words.length, HISTORY])])
    const now = addSustained(graph, addToneDetector(graph, features, words))
    const sustained = graph.node('Concat', [earlier, now], { axis: 2 })
    const starts = graph.node('Transpose', [addTokenStarts(graph, sustained)], { perm: [0, 2, 1] })
    const later = graph.slice(sustained, 2, -HISTORY)

    graph.output('encoder_out', starts, 'float', ['N', chunk / SUBSAMPLING, width])
    graph.output('next_h', graph.node('Reshape', [later, graph.integers([1, -1, stateWidth])]), 'float', [
      1,
      'N',
      stateWidth,
    ])
    graph.output('next_c', unused, 'float', [1, 'N', 1])
    return graph.encode({
      model_type: 'lstm',
      num_encoder_layers: 1,
      T: window,
      decode_chunk_len: chunk,
      rnn_hidden_size: 1,
      d_model: stateWidth,
    })
  }

  function decoder(): Uint8Array {
    const graph = new OnnxGraph('decoder')
    const context = graph.cast(graph.input('y', 'int64', ['N', CONTEXT]), 'float')
    const nothing = graph.matrix(Array.from({ length: CONTEXT }, () => Array(width).fill(0)))
    graph.output('decoder_out', graph.node('MatMul', [context, nothing]), 'float', ['N', width])
    return graph.encode({ vocab_size: tokens.length, context_size: CONTEXT })
  }

  function joiner(): Uint8Array {
    const graph = new OnnxGraph('joiner')
    const sum = graph.node('Add', [
      graph.input('encoder_out', 'float', ['N', width]),
      graph.input('decoder_out', 'float', ['N', width]),
    ])
    graph.output('logit', addScores(graph, sum, words, tokens), 'float', ['N', tokens.length])
    return graph.encode({ joiner_dim: width })
  }
}
