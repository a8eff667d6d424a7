import { OnnxGraph } from './onnx.ts'
import type { ToneLanguage, ToneWord } from './vocabulary.ts'
import type { ModelFile } from './write-model.ts'

/** What the models write after the first, second and third word of a language. */
type Mark = 'none' | 'comma' | 'stop'
const MARKS: readonly Mark[] = ['none', 'comma', 'stop']

function markOf(index: number): Mark {
  return MARKS[index % MARKS.length] ?? 'none'
}

/** Punctuation marks of the type ct-transformer, which writes those of Chinese, in the order that the library expects. */
const FULL_WIDTH_MARKS = ['<unk>', '_', '，', '。', '？', '、']
const FULL_WIDTH_IDS: Readonly<Record<Mark, number>> = { none: 1, comma: 2, stop: 3 }

/** An offline model of the type ct-transformer: a mark depends only on the word before it. */
export function offlinePunctuation({ words }: ToneLanguage): readonly ModelFile[] {
  const tokens = ['<unk>', ...words.map(({ word }) => word)]
  const marks = tokens.map((_token, id) => (id === 0 ? FULL_WIDTH_IDS.none : FULL_WIDTH_IDS[markOf(id - 1)]))
  const graph = new OnnxGraph('ct-transformer')
  const text = graph.input('inputs', 'int32', ['N', 'T'])
  graph.input('text_lengths', 'int32', ['N'])
  const scores = graph.node('Gather', [
    graph.matrix(marks.map((mark) => oneHot(mark, FULL_WIDTH_MARKS.length))),
    text,
  ])
  graph.output('logits', scores, 'float', ['N', 'T', FULL_WIDTH_MARKS.length])
  const metadata = {
    model_type: 'ct_transformer',
    tokens: tokens.join('|'),
    vocab_size: tokens.length,
    punctuations: FULL_WIDTH_MARKS.join('|'),
    unk_symbol: '<unk>',
  }
  return [{ name: 'model.onnx', role: 'model', content: graph.encode(metadata) }]
}

/** Length to which the library fills each sentence. */
const SENTENCE_LENGTH = 200
/** Tokens that the library adds itself: after a sentence, before and after its words. */
const FRAME_TOKENS = ['<blk>', '<sos/eos>', '<eos>', '<unk>']
const LAST_FRAME_ID = 2
const CASES = { lower: 0, upper: 1, capitalized: 2, mixed: 3 } as const
const MARK_IDS: Readonly<Record<Mark | 'question', number>> = { none: 0, comma: 1, stop: 2, question: 3 }

/**
 * An online model of the type cnn-bilstm, which writes marks and capitals: the first word of the language is capitalized,
 * and a mark depends only on the word before it.
 */
export function onlinePunctuation({ words }: ToneLanguage): readonly ModelFile[] {
  const pieces = [...FRAME_TOKENS, ...words.map(({ word }) => `▁${word}`)]
  const graph = new OnnxGraph('cnn-bilstm')
  const tokens = graph.input('token_ids', 'int32', ['N', SENTENCE_LENGTH])
  const valid = graph.input('valid_ids', 'int32', ['N', SENTENCE_LENGTH])
  graph.input('label_lens', 'int32', ['N'])

  // One row for each word of all sentences: the first of its tokens.
  const isFirst = graph.node('Greater', [valid, graph.int32(0)])
  const isWord = graph.node('Greater', [tokens, graph.int32(LAST_FRAME_ID)])
  const places = graph.node('Transpose', [graph.node('NonZero', [graph.node('And', [isFirst, isWord])])], {
    perm: [1, 0],
  })
  const wordIds = graph.node('GatherND', [tokens, places])

  graph.output('case_logits', lookUp(CASES.lower, caseOf, 4), 'float', ['words', 4])
  graph.output(
    'punct_logits',
    lookUp(MARK_IDS.none, (_word, index) => MARK_IDS[markOf(index)], 4),
    'float',
    ['words', 4],
  )
  const metadata = { COMMA: 1, PERIOD: 2, QUESTION: 3, UPPER: 1, CAP: 2, MIX_CASE: 3 }
  const vocabulary = pieces.map((piece, id) => `${piece}\t${-id}\n`).join('')
  return [
    { name: 'model.onnx', role: 'model', content: graph.encode(metadata) },
    { name: 'bpe.vocab', role: 'bpe', content: vocabulary },
  ]

  function caseOf(_word: ToneWord, index: number): number {
    return index === 0 ? CASES.capitalized : CASES.lower
  }

  /** Adds nodes that score the class of each word: floats [words, classes]. */
  function lookUp(
    otherwise: number,
    classOf: (word: ToneWord, index: number) => number,
    classes: number,
  ): string {
    const rows = [...FRAME_TOKENS.map(() => otherwise), ...words.map(classOf)]
    return graph.node('Gather', [graph.matrix(rows.map((row) => oneHot(row, classes))), wordIds])
  }
}

function oneHot(index: number, length: number): number[] {
  return Array.from({ length }, (_, at) => (at === index ? 1 : 0))
}
