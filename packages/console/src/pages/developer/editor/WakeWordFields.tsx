import { DEFAULT_WAKE_WORD_LANGUAGE, type WakeWord } from '@glasses-cloud/contract'
import { ManifestText } from './fields.tsx'
import { formTexts } from './form.texts.ts'
import { ListEditor } from './ListEditor.tsx'
import type { Draft } from './use-draft.ts'

const { wakeWords: texts } = formTexts

/** The phrases for which an app listens. */
export function WakeWordFields({ draft: { value, set } }: { readonly draft: Draft }) {
  return (
    <ListEditor<WakeWord>
      title={texts.wakeWords}
      hint={texts.wakeWordsHint}
      addLabel={texts.addWakeWord}
      path="wakeWords"
      entries={value.wakeWords}
      onChange={(wakeWords) => set('wakeWords', wakeWords)}
      create={() => ({ phrase: '' })}
      nameOf={({ phrase }, position) => texts.name(phrase, position)}
    >
      {(wakeWord, path, change) => (
        <>
          <ManifestText
            path={`${path}.phrase`}
            label={texts.phrase}
            value={wakeWord.phrase}
            onChange={(phrase) => change({ ...wakeWord, phrase })}
          />
          <ManifestText
            path={`${path}.language`}
            label={texts.language}
            description={texts.languageHint}
            placeholder={DEFAULT_WAKE_WORD_LANGUAGE}
            value={wakeWord.language ?? ''}
            onChange={(language) => change({ ...wakeWord, language })}
          />
        </>
      )}
    </ListEditor>
  )
}
