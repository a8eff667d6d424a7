import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  canonicalLanguage,
  findLanguage,
  isSameLanguage,
  languageCode,
  matchesLanguage,
  regionalLanguage,
} from './languages.ts'

test('tags of one meaning have one form', () => {
  for (const [tag, canonical, regional, code] of [
    ['en-US', 'en-US', 'en-US', 'en'],
    ['EN_us', 'en-US', 'en-US', 'en'],
    [' en_US.UTF-8', 'en-US', 'en-US', 'en'],
    ['en_US@rg=dezzzz', 'en-US', 'en-US', 'en'],
    ['en-US-u-ca-gregory', 'en-US', 'en-US', 'en'],
    ['en', 'en', 'en-US', 'en'],
    ['eng', 'en', 'en-US', 'en'],
    ['pt', 'pt', 'pt-BR', 'pt'],
    ['zh-Hans-CN', 'zh-CN', 'zh-CN', 'zh'],
    ['cmn-Hans-CN', 'zh-CN', 'zh-CN', 'zh'],
    ['zh-cmn-Hans', 'zh-Hans', 'zh-CN', 'zh'],
    ['zh-Hant', 'zh-Hant', 'zh-TW', 'zh'],
    ['zh-hk', 'zh-HK', 'zh-HK', 'zh'],
    ['iw', 'he', 'he-IL', 'he'],
    ['in-ID', 'id-ID', 'id-ID', 'id'],
    ['jw', 'jv', 'jv-ID', 'jv'],
    ['nb-NO', 'no-NO', 'no-NO', 'no'],
    ['fil-PH', 'tl-PH', 'tl-PH', 'tl'],
    ['sr-Latn', 'sr-Latn', 'sr-Latn-RS', 'sr'],
    ['es-419', 'es-419', 'es-419', 'es'],
    ['ca-ES-valencia', 'ca-ES', 'ca-ES', 'ca'],
  ] as const)
    assert.deepEqual(
      [canonicalLanguage(tag), regionalLanguage(tag), languageCode(tag)],
      [canonical, regional, code],
      tag,
    )
  for (const tag of [
    '',
    'und',
    'auto',
    'all',
    'english',
    'en-',
    'en-US-x',
    '-US',
    'e',
    '*',
    'x'.repeat(200),
    'zxx',
  ])
    assert.deepEqual([canonicalLanguage(tag), regionalLanguage(tag)], [undefined, undefined], tag)
})

test('what both tags name must be equal', () => {
  for (const [one, other, isSame, isMatch] of [
    ['en', 'en-US', true, true],
    ['en-GB', 'en-US', true, false],
    ['pt-BR', 'pt-PT', true, false],
    ['zh', 'zh-TW', true, true],
    ['zh-Hans', 'zh-TW', false, false],
    ['zh-CN', 'zh-TW', false, false],
    ['zh-Hant', 'zh-HK', true, true],
    ['he', 'iw-IL', true, true],
    ['no', 'nb-NO', true, true],
    ['nn', 'nb', false, false],
    ['en', 'de', false, false],
    ['auto', 'AUTO', true, true],
    ['auto', 'en', false, false],
  ] as const) {
    assert.deepEqual(
      [isSameLanguage(one, other), matchesLanguage(one, other)],
      [isSame, isMatch],
      `${one} ${other}`,
    )
    assert.deepEqual(
      [isSameLanguage(other, one), matchesLanguage(other, one)],
      [isSame, isMatch],
      `${other} ${one}`,
    )
  }
})

test('the nearest tag of a list', () => {
  const lists = {
    plain: ['en', 'de', 'pt', 'zh', 'no', 'tl'],
    regions: ['EN-GB', 'EN-US', 'PT-PT', 'PT-BR', 'zh-Hans', 'zh-Hant', 'nb', 'es', 'es-419'],
  }
  for (const [tag, plain, regions] of [
    ['en-US', 'en', 'EN-US'],
    ['en-GB', 'en', 'EN-GB'],
    ['en-AU', 'en', 'EN-US'],
    ['en', 'en', 'EN-US'],
    ['pt', 'pt', 'PT-BR'],
    ['pt-PT', 'pt', 'PT-PT'],
    ['pt-AO', 'pt', 'PT-BR'],
    ['zh-CN', 'zh', 'zh-Hans'],
    ['zh-HK', 'zh', 'zh-Hant'],
    ['nb-NO', 'no', 'nb'],
    ['fil-PH', 'tl', undefined],
    ['de-AT', 'de', undefined],
    ['es-ES', undefined, 'es'],
    ['auto', undefined, undefined],
  ] as const)
    assert.deepEqual(
      [findLanguage(tag, lists.plain), findLanguage(tag, lists.regions)],
      [plain, regions],
      tag,
    )
  assert.equal(findLanguage('pt-PT', ['pt', 'pt-BR']), 'pt')
  assert.equal(findLanguage('pt-BR', ['pt', 'pt-BR']), 'pt-BR')
  assert.equal(findLanguage('zh-TW', ['zh-Hans']), undefined)
})
