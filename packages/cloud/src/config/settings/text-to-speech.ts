import type { SettingGroup } from './setting-group.ts'

export const TEXT_TO_SPEECH_SETTINGS = {
  title: 'Text to speech',
  intro: 'See [operations](operations.md#text-to-speech) for a comparison of the providers.',
  settings: {
    TTS_PROVIDER: {
      fallback: '`local`',
      description:
        '`local`, `flite`, `espeak`, `elevenlabs` or `openai`; with `none`, `/api/tts` responds that the service is not configured',
    },
    TTS_API_KEY: {
      fallback: 'none',
      description: 'API key of the provider; required by `elevenlabs`',
      isSecret: true,
    },
    TTS_BASE_URL: {
      fallback: "the provider's URL",
      description: 'base URL without `/v1`, such as `http://127.0.0.1:8880`',
    },
    TTS_VOICE: {
      fallback: '`local`: `en`, `flite`: `slt`, `espeak`: `en`, `openai`: `alloy`, `elevenlabs`: none',
      description:
        'voice for requests that name none, and for those that name a voice of another provider; with `local` the id of an installed voice (`piper-de-thorsten`, or `ID:3` for its fourth speaker), a voice of `flite`, or a language tag',
    },
    TTS_MODEL: {
      fallback: '`openai`: `tts-1`, `elevenlabs`: `eleven_flash_v2_5`',
      description: 'model for requests that name none',
    },
    TTS_CACHE_MB: {
      fallback: '`256`',
      description: 'size of the cache in `DATA_DIR/tts-cache`, in MiB; `0` disables it',
    },
    TTS_LIMIT_PER_MINUTE: {
      fallback: '`100`',
      description: 'requests per minute to `/api/tts` from one address',
    },
    TTS_DAILY_CHARACTERS: {
      fallback: '`500000`',
      description:
        'characters a day (UTC) that `elevenlabs` or `openai` generate for all together, of which one address may use a tenth; `0`: no limit. Without effect for `openai` at a private `TTS_BASE_URL`',
    },
  },
} as const satisfies SettingGroup
