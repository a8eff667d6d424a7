import { DEFAULT_WAKE_WORD_LANGUAGE, type WakeWord } from '@glasses-cloud/contract'
import { ManifestText } from './fields.tsx'
import { ListEditor } from './ListEditor.tsx'
import type { Draft } from './use-draft.ts'

/** The phrases for which an app listens. */
export function WakeWordFields({ draft: { value, set } }: { readonly draft: Draft }) {
  return (
    <ListEditor<WakeWord>
      title="Wake words"
      hint="What wearers say to call the app. Of all that is said it receives these phrases only."
      addLabel="Add a wake word"
      path="wakeWords"
      entries={value.wakeWords}
      onChange={(wakeWords) => set('wakeWords', wakeWords)}
      create={() => ({ phrase: '' })}
      nameOf={({ phrase }, position) => `wake word ${phrase || position}`}
    >
      {(wakeWord, path, change) => (
        <>
          <ManifestText
            path={`${path}.phrase`}
            label="Phrase"
            value={wakeWord.phrase}
            onChange={(phrase) => change({ ...wakeWord, phrase })}
          />
          <ManifestText
            path={`${path}.language`}
            label="Language"
            description="Such as de-DE; en-US without one"
            placeholder={DEFAULT_WAKE_WORD_LANGUAGE}
            value={wakeWord.language ?? ''}
            onChange={(language) => change({ ...wakeWord, language })}
          />
        </>
      )}
    </ListEditor>
  )
}
