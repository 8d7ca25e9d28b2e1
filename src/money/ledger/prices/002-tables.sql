-- The provider's price lists. The one with the highest version is in force.
CREATE TABLE price_lists (
  version integer PRIMARY KEY,
  list text NOT NULL,
  put_at timestamptz NOT NULL DEFAULT now()
);
