import { type Static, Type } from 'typebox'

/** Bytes that a frame of LC3 may have: 16, 32 or 48 kbit/s (glasses socket protocol, 2.6.3). */
export const LC3_FRAME_SIZES_BYTES = [20, 40, 60] as const

/** The one LC3 that phones send: frames of 10 ms, 16 kHz, mono. */
const lc3 = { sampleRate: 16_000, frameDurationMs: 10 } as const

/** What the binary frames of a glasses socket hold: 16-bit PCM at 16 kHz, or whole frames of LC3 one after the other. */
export type AudioFormat =
  | { readonly format: 'pcm' }
  | { readonly format: 'lc3'; readonly frameSizeBytes: (typeof LC3_FRAME_SIZES_BYTES)[number] }

const lc3Fields = {
  sampleRate: Type.Literal(lc3.sampleRate, { description: 'Hertz' }),
  frameDurationMs: Type.Literal(lc3.frameDurationMs),
  frameSizeBytes: Type.Enum(LC3_FRAME_SIZES_BYTES),
}

/** Schema of the body by which a phone says what its binary frames hold. */
export const audioConfiguration = Type.Object(
  {
    format: Type.Enum(['pcm', 'lc3']),
    lc3Config: Type.Optional(
      Type.Union([Type.Partial(Type.Object(lc3Fields)), Type.Null()], {
        description: 'For lc3. What is left out is 16000 Hz, 10 ms, 20 bytes',
      }),
    ),
  },
  { title: 'AudioConfiguration' },
)

/** What a phone says that its binary frames hold. */
export type AudioConfiguration = Static<typeof audioConfiguration>

/** The format that a configuration names. */
export function toAudioFormat({ format, lc3Config }: AudioConfiguration): AudioFormat {
  return format === 'pcm' ? { format } : { format, frameSizeBytes: lc3Config?.frameSizeBytes ?? 20 }
}

/** The configuration that names a format, nothing left out. */
export function toAudioConfiguration(
  format: AudioFormat,
): Pick<AudioConfigurationResponse, 'format' | 'lc3Config'> {
  if (format.format === 'pcm') return { format: 'pcm', lc3Config: null }
  return { format: 'lc3', lc3Config: { ...lc3, frameSizeBytes: format.frameSizeBytes } }
}

/** Schema of the answer: what the cloud takes the binary frames to hold from now on. */
export const audioConfigurationResponse = Type.Object(
  {
    success: Type.Literal(true),
    format: Type.Enum(['pcm', 'lc3']),
    lc3Config: Type.Union([Type.Null(), Type.Object(lc3Fields)]),
    message: Type.String(),
    timestamp: Type.String({ format: 'date-time' }),
  },
  { title: 'AudioConfigured' },
)

type AudioConfigurationResponse = Static<typeof audioConfigurationResponse>
