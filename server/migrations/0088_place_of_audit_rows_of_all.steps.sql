call fill_places_of_audit_rows();
