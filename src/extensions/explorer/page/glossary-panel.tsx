import { type SchemaReference, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { isObjectType } from 'graphql';
import { useState } from 'react';
import { terms } from './glossary-terms';
import { fold } from './language/language';
import { texts } from './language/texts';

export function GlossaryPanel() {
  const [search, setSearch] = useState('');
  const matching = terms.filter((entry) => fold(JSON.stringify(entry)).includes(fold(search.trim())));
  return (
    <>
      <p>{texts.glossary.intro}</p>
      <input
        type="search"
        placeholder="cédula, registro patronal…"
        aria-label={texts.glossary.search}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <ul className="padron-list">
        {matching.map(({ term, english, fields }) => (
          <li key={term}>
            <strong lang="es">{term}</strong>
            <span className="padron-quiet" lang="en">
              {english}
            </span>
            <span className="padron-row">
              {fields.map((field) => (
                <FieldButton key={field} coordinate={field} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function FieldButton({ coordinate }: { readonly coordinate: string }) {
  const schema = useGraphiQL((state) => state.schema);
  const referencePlugin = useGraphiQL((state) => state.referencePlugin);
  const { setSchemaReference, setVisiblePlugin } = useGraphiQLActions();
  const [typeName = '', fieldName = ''] = coordinate.split('.');
  const show = (): void => {
    const parentType = schema?.getType(typeName);
    if (!isObjectType(parentType)) return;
    const fieldDef = parentType.getFields()[fieldName];
    if (fieldDef === undefined) return;
    setVisiblePlugin(referencePlugin ?? null);
    // The type is that of the editor's parser, but the documentation only reads these properties.
    const reference = { kind: 'Field', typeInfo: { parentType, fieldDef, type: fieldDef.type } };
    setSchemaReference(reference as unknown as SchemaReference);
  };
  return (
    <button type="button" onClick={show}>
      <code>{coordinate}</code>
    </button>
  );
}
