import { type Static, Type } from 'typebox'
import { anyForm } from './tolerant-reader.ts'

/** Supported sizes of an LC3 frame: 16, 32 and 48 kbit/s (glasses-socket.md §2.6.3). */
export const LC3_FRAME_SIZES_BYTES = [20, 40, 60] as const

/** The only LC3 configuration that phones send: mono frames of 10 ms at 16 kHz. */
const LC3_CONFIG = { sampleRate: 16_000, frameDurationMs: 10 } as const

export const audioFormat = Type.Union([
  Type.Object({ format: Type.Literal('pcm') }),
  Type.Object({ format: Type.Literal('lc3'), frameSizeBytes: Type.Enum(LC3_FRAME_SIZES_BYTES) }),
])

/** Format of the binary frames on a glasses socket: 16-bit PCM at 16 kHz, or concatenated LC3 frames. */
export type AudioFormat = Static<typeof audioFormat>

const lc3Fields = {
  sampleRate: Type.Literal(LC3_CONFIG.sampleRate, { description: 'Hertz' }),
  frameDurationMs: Type.Literal(LC3_CONFIG.frameDurationMs),
  frameSizeBytes: Type.Enum(LC3_FRAME_SIZES_BYTES),
}

/** Schema of the body of `POST /api/client/audio/configure`. */
export const audioConfiguration = Type.Object(
  {
    format: Type.Enum(['pcm', 'lc3']),
    lc3Config: Type.Optional(
      Type.Partial(Type.Object(lc3Fields), {
        description: 'For lc3. Defaults: 16000 Hz, 10 ms, 20 bytes',
      }),
    ),
  },
  // What is not read as it is meant would be heard as noise.
  { title: 'AudioConfiguration', ...anyForm },
)

/** The audio format that a phone announces. */
export type AudioConfiguration = Static<typeof audioConfiguration>

/** Resolves a configuration to a format, filling in defaults. */
export function toAudioFormat({ format, lc3Config }: AudioConfiguration): AudioFormat {
  return format === 'pcm' ? { format } : { format, frameSizeBytes: lc3Config?.frameSizeBytes ?? 20 }
}

/** Writes a format as a complete configuration. */
export function toAudioConfiguration(
  format: AudioFormat,
): Pick<AudioConfigurationResponse, 'format' | 'lc3Config'> {
  if (format.format === 'pcm') return { format: 'pcm', lc3Config: null }
  return { format: 'lc3', lc3Config: { ...LC3_CONFIG, frameSizeBytes: format.frameSizeBytes } }
}

/** Schema of the response: the format that the cloud applies to all further binary frames. */
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
