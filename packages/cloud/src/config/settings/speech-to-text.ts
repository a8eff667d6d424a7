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
      description: 'base URL with or without `/v1`, such as `http://127.0.0.1:8880/v1`',
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

export const SPEECH_TO_TEXT_SETTINGS = {
  title: 'Speech to text',
  intro: 'See [speech](speech.md) for a comparison of the providers.',
  settings: {
    STT_PROVIDERS: {
      fallback: '`local,phone`',
      description:
        'who recognizes speech, in order of preference: `local` (on this machine, with the models that are installed), `soniox`, `deepgram`, `wyoming`, `vosk`, `openai`, and `phone` as the last entry. The phone stands in while no provider works, whether it is listed or not',
    },
    SONIOX_API_KEY: {
      fallback: 'none',
      description: 'required by `soniox`',
      isSecret: true,
    },
    SONIOX_URL: {
      fallback: 'Soniox',
      description: 'another address, such as `wss://stt-rt.eu.soniox.com/transcribe-websocket`',
    },
    DEEPGRAM_API_KEY: {
      fallback: 'none',
      description: 'required by `deepgram`',
      isSecret: true,
    },
    DEEPGRAM_URL: {
      fallback: '`wss://api.deepgram.com/v1/listen` of Deepgram',
      description: 'another address; its query parameters are sent too, such as `?diarize=true`',
    },
    DEEPGRAM_MODEL: {
      fallback: '`nova-3` of Deepgram',
      description: 'model',
    },
    WYOMING_URL: {
      fallback: 'none',
      description: 'server with the Wyoming protocol, such as `tcp://127.0.0.1:10300`; required by `wyoming`',
    },
    VOSK_URL: {
      fallback: 'none',
      description: 'Vosk server, such as `ws://127.0.0.1:2700`; required by `vosk`',
    },
    VOSK_LANGUAGES: {
      fallback: 'none',
      description:
        'languages of the model of that server, such as `en-US`; without it every language is sent there',
    },
    OPENAI_STT_URL: {
      fallback: 'OpenAI',
      description:
        'server with the OpenAI protocol for realtime transcription, such as `ws://127.0.0.1:8000/v1/realtime`, or its base URL, such as `http://127.0.0.1:8000/v1`',
    },
    OPENAI_STT_API_KEY: {
      fallback: 'none',
      description: 'required by `openai` without `OPENAI_STT_URL`',
      isSecret: true,
    },
    OPENAI_STT_MODEL: {
      fallback: '`gpt-live-transcribe` of OpenAI',
      description: 'model',
    },
    STT_MAX_STREAMS_PER_USER: {
      fallback: '`4`',
      description: 'languages that are recognized for one user at a time; further ones are refused',
    },
    STT_MAX_STREAMS: {
      fallback: '`500`',
      description: 'languages that one process recognizes at a time, for all users',
    },
    TRANSLATION_PROVIDER: {
      fallback: 'none',
      description:
        '`libretranslate` or `deepl`, for translations that the speech-to-text provider does not deliver',
    },
    LIBRETRANSLATE_URL: {
      fallback: 'none',
      description: 'such as `http://127.0.0.1:5000`; required by `libretranslate`',
    },
    LIBRETRANSLATE_API_KEY: {
      fallback: 'none',
      description: 'if the server requires one',
      isSecret: true,
    },
    DEEPL_API_KEY: {
      fallback: 'none',
      description: 'required by `deepl`',
      isSecret: true,
    },
    DEEPL_URL: {
      fallback: 'DeepL, for the plan of the key',
      description: 'another address',
    },
  },
} as const satisfies SettingGroup
