import { OnnxGraph } from './onnx.ts'
import { ENGLISH } from './vocabulary.ts'
import type { ModelFile } from './write-model.ts'

export const VOICE_SAMPLE_RATE = 22_050
/** Duration of a character at the usual speed. */
export const CHARACTER_MS = 80
const SAMPLES = (VOICE_SAMPLE_RATE * CHARACTER_MS) / 1000
const AMPLITUDE = 0.5
/** Samples in which a character becomes as loud as it will be. */
const RAMP = 100

/** Starts and ends a sentence; has no sound and no duration. */
const EDGE = '<BOS>'
const PAUSES = ' .,!?:;\'-"'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789äöüß'

/** Tone of the first character that starts no English word, in hertz, and distance to the next. */
const FIRST_TONE = 2_400
const TONE_STEP = 120

/**
 * The tone of a character, in hertz; 0 for a pause. The first letters of the words of {@link ENGLISH} have the tones of
 * these words, so that a recognizer understands `aaa bbb` as `alpha bravo`.
 */
export function toneOfCharacter(character: string): number {
  const index = LETTERS.indexOf(character)
  const word = ENGLISH.words.find((candidate) => candidate.word.startsWith(character))
  if (index < 0) return 0
  return word?.tone ?? FIRST_TONE + TONE_STEP * index
}

/** A voice of the type VITS that speaks each character as a tone. Characters that it does not know have no sound. */
export function voice(): readonly ModelFile[] {
  const characters = [...PAUSES, ...LETTERS]
  const graph = new OnnxGraph('voice')
  const text = graph.input('x', 'int64', [1, 'T'])
  graph.input('x_length', 'int64', [1])
  graph.input('noise_scale', 'float', [1])
  const lengthScale = graph.input('length_scale', 'float', [1])
  graph.input('noise_scale_w', 'float', [1])

  const zero = graph.floats([0])
  const isSpoken = graph.node('Greater', [text, graph.integers([0])])
  const spoken = graph.node('Compress', [text, graph.node('Reshape', [isSpoken, graph.integers([-1])])], {
    axis: 1,
  })
  const tones = graph.node('Gather', [graph.floats([0, ...characters.map(toneOfCharacter)]), spoken])

  // The samples of one character: a row of times.
  const scaled = graph.node('Mul', [lengthScale, graph.floats([SAMPLES])])
  const samples = graph.node('Squeeze', [graph.node('Round', [scaled])])
  const times = graph.node('Range', [graph.floats([0], []), samples, graph.floats([1], [])])

  // All characters: a column of tones.
  const column = graph.node('Unsqueeze', [tones, graph.integers([2])])
  const phases = graph.node('Mul', [column, graph.node('Mul', [times, perSample()])])
  const waves = graph.node('Mul', [graph.node('Sin', [phases]), envelope()])
  const sound = graph.node('Reshape', [waves, graph.integers([1, 1, -1])])

  graph.output('y', sound, 'float', [1, 1, 'samples'])
  const metadata = {
    model_type: 'vits',
    comment: 'tiny',
    language: 'English',
    frontend: 'characters',
    sample_rate: VOICE_SAMPLE_RATE,
    n_speakers: 0,
    add_blank: 0,
    use_eos_bos: 1,
    bos_id: 0,
    eos_id: 0,
  }
  const tokens = [EDGE, ...characters].map((character, id) => `${character} ${id}\n`).join('')
  return [
    { name: 'model.onnx', role: 'model', content: graph.encode(metadata) },
    { name: 'tokens.txt', role: 'tokens', content: tokens },
  ]

  function perSample(): string {
    return graph.floats([(2 * Math.PI) / VOICE_SAMPLE_RATE])
  }

  /** Loudness over the time of a character: it rises, stays and falls. */
  function envelope(): string {
    const rest = graph.node('Sub', [samples, times])
    const nearer = graph.node('Min', [times, rest])
    const ramp = graph.node('Min', [graph.node('Div', [nearer, graph.floats([RAMP])]), graph.floats([1])])
    return graph.node('Mul', [graph.node('Max', [ramp, zero]), graph.floats([AMPLITUDE])])
  }
}
