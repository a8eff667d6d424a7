import { MEL_BINS } from './mel.ts'
import { OnnxGraph } from './onnx.ts'
import { addScores, addTokenStartsOfUtterance, addToneDetector } from './tone-detector.ts'
import { type ToneLanguage, tokensFile, tokensOf } from './vocabulary.ts'
import type { ModelFile } from './write-model.ts'

/** The library joins this many features to one frame, every `SHIFT` features: 60 ms. */
const WINDOW = 7
const SHIFT = 6
/** Features of a step of the detector: two steps a frame, so that pauses of 100 ms are noticed. */
const STEP = 3
/** Upper edge of the features of this type of model, in hertz. */
const UPPER_EDGE = 8000
/** The library multiplies samples by 32,768 for this type; this undoes it in the logarithm of their energy. */
const SCALE = 2 * Math.log(32_768)

/** Ids that models of this type use. */
const LANGUAGE_IDS = { auto: 0, zh: 3, en: 4, yue: 7, ja: 11, ko: 12 } as const
const WITH_ITN_ID = 14
const WITHOUT_ITN_ID = 15
const LAST_ID = WITHOUT_ITN_ID

const NO_SPEECH = '<|nospeech|>'
const NEUTRAL = '<|NEUTRAL|>'
const SPEECH = '<|Speech|>'
const WITH_ITN = '<|withitn|>'
const WITHOUT_ITN = '<|woitn|>'

/** Exceeds every score that the model computes. */
const CERTAIN = 1_000

export interface SenseVoiceLanguage extends ToneLanguage {
  readonly code: Exclude<keyof typeof LANGUAGE_IDS, 'auto'>
}

/**
 * A model of the type SenseVoice, for whole utterances of at least 120 ms. It reports the language whose tones last
 * longest, or the one that the caller names.
 */
export function senseVoice(languages: readonly SenseVoiceLanguage[]): readonly ModelFile[] {
  const words = languages.flatMap((language) => language.words)
  const languageTokens = languages.map(({ code }) => `<|${code}|>`)
  const special = ['<unk>', ...languageTokens, NO_SPEECH, NEUTRAL, SPEECH, WITH_ITN, WITHOUT_ITN]
  const tokens = tokensOf(words, special)
  const graph = new OnnxGraph('sense-voice')
  const frames = graph.input('x', 'float', ['N', 'T', WINDOW * MEL_BINS])
  graph.input('x_length', 'int32', ['N'])
  const language = graph.input('language', 'int32', ['N'])
  const textNorm = graph.input('text_norm', 'int32', ['N'])

  // Windows overlap in one feature.
  const windows = graph.node('Reshape', [frames, graph.integers([0, 0, WINDOW, MEL_BINS])])
  const features = graph.node('Reshape', [
    graph.slice(windows, 2, 0, SHIFT),
    graph.integers([0, -1, MEL_BINS]),
  ])
  const tones = addToneDetector(graph, features, words, { subsampling: STEP, upperEdge: UPPER_EDGE })

  const steps = { kernel_shape: [SHIFT / STEP], strides: [SHIFT / STEP] }
  const starts = graph.node('MaxPool', [addTokenStartsOfUtterance(graph, tones)], steps)
  const text = addScores(graph, graph.node('Transpose', [starts], { perm: [0, 2, 1] }), words, tokens)

  const named = Object.fromEntries(languages.map(({ code }) => [LANGUAGE_IDS[code], `<|${code}|>`]))
  const prefix = [
    graph.node('Add', [detectLanguage(), choose(language, (id) => named[id])]),
    choose(language, () => NEUTRAL),
    choose(language, () => SPEECH),
    choose(textNorm, (id) => (id === WITH_ITN_ID ? WITH_ITN : WITHOUT_ITN)),
  ].map((scores) => graph.node('Unsqueeze', [scores, graph.integers([1])]))
  const logits = graph.node('Concat', [...prefix, text], { axis: 1 })

  graph.output('logits', logits, 'float', ['N', 'frames', tokens.length])
  const perWindow = (value: number) =>
    Array(WINDOW * MEL_BINS)
      .fill(value.toFixed(4))
      .join(',')
  const metadata = {
    model_type: 'sense_voice_ctc',
    vocab_size: tokens.length,
    blank_id: 0,
    lfr_window_size: WINDOW,
    lfr_window_shift: SHIFT,
    normalize_samples: 0,
    with_itn: WITH_ITN_ID,
    without_itn: WITHOUT_ITN_ID,
    ...Object.fromEntries(Object.entries(LANGUAGE_IDS).map(([code, id]) => [`lang_${code}`, id])),
    neg_mean: perWindow(-SCALE),
    inv_stddev: perWindow(1),
  }
  return [
    { name: 'model.onnx', role: 'model', content: graph.encode(metadata) },
    { name: 'tokens.txt', role: 'tokens', content: tokensFile(tokens) },
  ]

  /** Adds nodes that score the tokens of languages by the time for which their tones sound: floats [batch, tokens]. */
  function detectLanguage(): string {
    const durations = graph.node('ReduceSum', [tones, graph.integers([2])], { keepdims: 0 })
    const weights = languages.flatMap(({ code, words }) =>
      words.map(() => tokens.map((token) => (token === `<|${code}|>` ? 1 : 0))),
    )
    const silence = tokens.map((token) => (token === NO_SPEECH ? 0.5 : 0))
    return graph.node('Add', [
      graph.node('MatMul', [durations, graph.matrix(weights)]),
      graph.floats(silence),
    ])
  }

  /** Adds nodes that score the token that belongs to an id: floats [batch, tokens]. */
  function choose(id: string, tokenOf: (id: number) => string | undefined): string {
    const table = Array.from({ length: LAST_ID + 1 }, (_, row) =>
      tokens.map((token) => (token === tokenOf(row) ? CERTAIN : 0)),
    )
    return graph.node('Gather', [graph.matrix(table), id])
  }
}
