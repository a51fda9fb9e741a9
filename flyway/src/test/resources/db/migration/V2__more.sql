-- a second table; it refers to the first
CREATE TABLE pet (id INT PRIMARY KEY, owner INT REFERENCES person);
CREATE VIEW owners AS SELECT name FROM person;
CREATE SEQUENCE numbers;
ALTER TABLE person ADD COLUMN born DATE;
