import { isEnumType } from 'graphql';
import { problemCodes } from '../../../../src/registry/answer/problem';
import { buildGraph } from '../../../support/padrons/whole-padron';
import { withPadron } from '../../../support/padrons/with-padron';

describe('ProblemCode', () => {
  it('is every code of the table, each with a description', () => {
    const type = buildGraph().schema.getType('ProblemCode');
    if (!isEnumType(type)) throw new Error('ProblemCode is no enum.');
    expect(type.getValues().map(({ name }) => name)).toEqual(Object.keys(problemCodes));
    expect(type.getValues().filter(({ description }) => !description)).toEqual([]);
  });

  it('is what a problem answers', async () => {
    await withPadron({}, async (padron) => {
      const type = '__type(name: "RegistryProblem") { fields { name type { ofType { kind name } } } }';
      const { data } = await padron.ask(`{ ${type} person(nss: "123") { credit { problems { code } } } }`);
      const code = data.__type.fields.find(({ name }: { readonly name: string }) => name === 'code');
      expect(code.type.ofType).toEqual({ kind: 'ENUM', name: 'ProblemCode' });
      expect(data.person.credit.problems).toEqual([{ code: 'INVALID_FORMAT' }]);
      expect(padron.calls()).toEqual([]);
    });
  });
});
